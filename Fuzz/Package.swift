// swift-tools-version: 6.0
import PackageDescription

// The programs that scripts/fuzz/run builds for libFuzzer. The targets in Targets/ are also tests of the package above.

let programs = ["gif", "services", "config", "keys", "answers"].map { name in
    Target.executableTarget(
        name: "fuzz-\(name)", dependencies: ["FuzzDriver", "FuzzTargets"], path: "Programs/\(name)")
}

let package = Package(
    name: "gifplay-fuzz",
    dependencies: [.package(name: "gifplay", path: "..")],
    targets: [
        .target(name: "CFuzzer", path: "CFuzzer"),
        .target(name: "FuzzTargets", dependencies: [.product(name: "Fuzzed", package: "gifplay")], path: "Targets"),
        .target(name: "FuzzDriver", dependencies: ["CFuzzer", "FuzzTargets"], path: "Driver"),
    ] + programs,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
