import Application

// The one place that ends the process.
Exit.with(Gifplay.start(Array(CommandLine.arguments.dropFirst())))
