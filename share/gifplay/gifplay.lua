--- @since 25.2.7
-- A preview of GIFs for yazi. Link this file as a plugin:
--   mkdir -p ~/.config/yazi/plugins/gifplay.yazi
--   ln -s ~/.local/share/gifplay/gifplay.lua ~/.config/yazi/plugins/gifplay.yazi/main.lua
-- In ~/.config/yazi/yazi.toml:
--   [plugin]
--   prepend_previewers = [{ mime = "image/gif", run = "gifplay" }]
-- In kitty (0.28 or later) and Ghostty (1.4 or later), the GIF moves. GIFPLAY_PREVIEW=half prevents it.
local M = {}

local function moves()
  return not os.getenv("GIFPLAY_PREVIEW") and (os.getenv("KITTY_WINDOW_ID") or os.getenv("GHOSTTY_RESOURCES_DIR"))
end

function M:peek(job)
  local size = job.area.w .. "x" .. job.area.h
  local command = Command("gifplay"):arg("--size"):arg(size)
  if moves() then
    -- The image reaches the terminal through /dev/tty, and the preview consists of its cells.
    command = command:arg("--upload"):arg("/dev/tty")
  end
  local output = command:arg("--file"):arg(tostring(job.file.url)):stdout(Command.PIPED):stderr(Command.PIPED):output()
  local text = output and (output.stdout ~= "" and output.stdout or output.stderr) or "gifplay is not installed"
  local widget = ui.Text.parse(text):area(job.area)
  -- yazi before 25.5.28 has only preview_widgets.
  if ya.preview_widget then
    ya.preview_widget(job, widget)
  else
    ya.preview_widgets(job, { widget })
  end
end

-- There is nothing to scroll.
function M:seek() end

return M
