import ArgumentParser

extension ParsableCommand {
    /// Parses the process's arguments and runs what they say.
    public static func runReportingErrors() -> Exit {
        reportingErrors {
            var command = try parseAsRoot()
            try command.run()
        }
    }

    /// Does what an understood command line asks for; errors go to where they belong.
    public static func reportingErrors(of body: () throws -> Void) -> Exit {
        do {
            try body()
            return .success
        } catch let complaint as Complaint {
            if !complaint.sentence.isEmpty { complain(complaint.sentence) }
            return complaint.exit
        } catch {
            return report(error)
        }
    }

    /// Help goes to standard output, what was wrong with the arguments to standard error.
    private static func report(_ error: any Error) -> Exit {
        let text = fullMessage(for: error)
        if exitCode(for: error) == .success {
            print(text)
            return .success
        }
        writeError(text + "\n")
        return .usage
    }
}
