import ArgumentParser

// The one place that ends the process.
Exit.with(Gifplay.runReportingErrors())
