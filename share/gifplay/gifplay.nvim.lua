-- Shows GIFs in Neovim 0.7 or later, moving in kitty (0.28 or later) and Ghostty (1.4 or later). In ~/.config/nvim/init.lua:
--   dofile(vim.fn.expand("~/.local/share/gifplay/gifplay.nvim.lua"))
-- Without 'termguicolors', the number of a GIF is one of 256.

-- Returns the terminal that shows Neovim. Neovim 0.9 or later has a process of its own for it, the parent of this one.
local function tty()
  local pid = vim.fn.getpid()
  for _ = 1, 2 do
    local fields = vim.fn.split(vim.fn.system({ "ps", "-o", "tty=,ppid=", "-p", tostring(pid) }))
    if fields[1] and fields[1] ~= "?" then
      return "/dev/" .. fields[1]
    end
    pid = fields[2]
  end
end

vim.api.nvim_create_autocmd("BufReadCmd", {
  pattern = { "*.gif", "*.GIF" },
  callback = function(event)
    local size = vim.api.nvim_win_get_width(0) .. "x" .. vim.api.nvim_win_get_height(0) - 1
    local command = { "gifplay", "--size", size, "--file", event.match }
    local terminal = tty()
    if terminal and (vim.env.KITTY_WINDOW_ID or vim.env.GHOSTTY_RESOURCES_DIR) then
      vim.list_extend(command, { "--upload", terminal })
    end
    if not vim.o.termguicolors then
      vim.list_extend(command, { "--colors", "256" })
    end
    -- Neovim loses the last output of a program in a terminal window that ends, so the program runs without one.
    local text = vim.fn.system(command)
    vim.bo[event.buf].modified = false
    vim.api.nvim_chan_send(vim.api.nvim_open_term(event.buf, {}), (text:gsub("\r?\n$", ""):gsub("\r?\n", "\r\n")))
  end,
})
