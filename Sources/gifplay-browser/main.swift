import Application

// The one place that ends the process.
Exit.with(GifplayBrowser.runReportingErrors())
