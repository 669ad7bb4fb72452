import Foundation
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(15)), .serialized) struct CompletionTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        static var installed: [Shell] {
            allCases.filter { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0.rawValue)") }
        }

        var command: String {
            switch self {
            case .bash: "exec bash --norc --noprofile"
            case .zsh: "exec zsh -f"
            case .fish: "exec fish --no-config"
            }
        }

        /// A line that loads the completions and sets the prompt to `> `.
        var preparation: String {
            let share = Binary.package.appendingPathComponent("share").path
            let folder = String(Binary.path.dropLast("/gifplay".count))
            return switch self {
            case .bash: "PATH='\(folder)':$PATH; PS1='> '; . '\(share)/bash-completion/completions/gifplay'"
            case .zsh:
                "PATH='\(folder)':$PATH; PS1='> '; fpath=('\(share)/zsh/site-functions' $fpath); autoload -Uz compinit; compinit -D"
            case .fish:
                "function fish_prompt; echo '> '; end; source '\(share)/fish/vendor_completions.d/gifplay.fish'; set PATH '\(folder)' $PATH"
            }
        }
    }

    /// Pairs of a typed line and the line to which Tab completes it.
    private static let completions = [
        ("gifplay cam", "gifplay campfire.gif"),
        ("gifplay UPP", "gifplay UPPER.GIF"),
        ("gifplay two", #"gifplay two\ words.gif"#),
        ("gifplay fold", "gifplay folder/"),
        ("gifplay --bare cam", "gifplay --bare campfire.gif"),
        // For 'info', only the names of GIFs are completed.
        ("gifplay info c", "gifplay info campfire.gif"),
        ("gifplay sou", "gifplay sources"),
        ("gifplay --fid", "gifplay --fidelity"),
        ("gifplay --fidelity e", "gifplay --fidelity exact"),
        ("gifplay --source gip", "gifplay --source giphy"),
        ("gifplay play --source=gif", "gifplay play --source=gifcities"),
        ("gifplay --rating pg-", "gifplay --rating pg-13"),
        ("gifplay --cacert cert", "gifplay --cacert cert.pem"),
        ("gifplay browse --redu", "gifplay browse --reduced-motion"),
        ("gifplay browse fold", "gifplay browse folder/"),
        ("gifplay browse cam", "gifplay browse campfire.gif"),
        ("gifplay library cl", "gifplay library clear"),
        ("gifplay library clear --al", "gifplay library clear --all"),
        ("gifplay help sam", "gifplay help samples"),
        ("gifplay conf", "gifplay config"),
        ("gifplay browse --no-rep", "gifplay browse --no-report-use"),
        ("gifplay --generate complete-f", "gifplay --generate complete-fish"),
        ("gifplay record cam", "gifplay record campfire.gif"),
        ("gifplay record --output cert", "gifplay record --output cert.pem"),
        ("gifplay record -o cert", "gifplay record -o cert.pem"),
    ]

    @Test(
        "Tab completes commands, options, values, sources and file names, even if the command 'play' is omitted",
        arguments: Shell.installed)
    func completes(shell: Shell) throws {
        let folder = try TemporaryFolder()
        for name in ["campfire.gif", "UPPER.GIF", "two words.gif", "cert.pem"] { try folder.write("", to: name) }
        try folder.makeFolder("folder")
        let tmux = try Tmux(columns: 120, rows: 24, command: "cd '\(folder.url.path)'; \(shell.command)")
        try tmux.shell(shell.preparation)
        for (typed, expected) in Self.completions {
            try tmux.press("C-u", "C-l")
            try tmux.type(typed)
            try tmux.press("Tab", until: "> \(expected)")
        }
    }

    @Test(
        "fish describes each value of '--mode' in a few words, and repeats no description of an option",
        .enabled(if: Shell.installed.contains(.fish)))
    func fishDescriptions() throws {
        func values(_ option: String) throws -> [String] {
            let load = Shell.fish.preparation.split(separator: "; ", maxSplits: 3).last.map(String.init) ?? ""
            let fish = try run(
                "/usr/bin/fish", ["--no-config", "-c", "\(load); complete -C 'gifplay \(option) '"])
            return fish.text.split(separator: "\n").map(String.init)
        }
        let modes = try values("--mode")
        #expect(modes.count == 8 && modes.contains("sextant\t2x3 per cell"), "\(modes)")
        #expect(modes.allSatisfy { $0.contains("\t") && $0.count < 48 }, "\(modes)")
        #expect(try values("--color") == ["always", "auto"])
    }
}
