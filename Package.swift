// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "gifplay",
    products: [
        .executable(name: "gifplay", targets: ["gifplay"]),
        .executable(name: "gifplay-browser", targets: ["gifplay-browser"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its trait of Foundation, of which it then uses nothing.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // giflib ships no pkg-config file, so its module map links it by name.
        .systemLibrary(name: "CGif", providers: [.apt(["libgif-dev"])]),
        // libcurl is loaded at the first request, so it is named in no linker setting.
        .target(name: "CCurl"),
        .target(name: "CSamples"),
        .target(name: "CTerminal"),
        .target(name: "Pixels"),
        .target(name: "GIFDecode", dependencies: ["CGif", "Pixels"]),
        .target(name: "Playback", dependencies: ["CTerminal", "GIFDecode", "Pixels"]),
        .target(name: "TerminalIO", dependencies: ["CTerminal", "Playback", "Pixels"]),
        .target(name: "Catalog", dependencies: ["CSamples"]),
        .target(name: "Gallery", dependencies: ["Catalog", "GIFDecode", "Pixels", "Playback"]),
        .testTarget(
            name: "GalleryTests",
            dependencies: ["Catalog", "GIFDecode", "Gallery", "Pixels", "Playback", "TestSupport"], exclude: ["Screens"]
        ),
        // A second process for the tests of Library: one that can be killed in the middle of a write.
        .executableTarget(
            name: "library-helper", dependencies: ["Catalog", "Library"], path: "Tests/Helpers/library-helper"),
        .testTarget(
            name: "LibraryTests",
            dependencies: [
                "Catalog", "Gallery", "Library", "TestServer", "library-helper",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Schemas"]),
        // toml++ without its exceptions, behind a C interface; headers alone, as Debian packages them.
        .target(name: "CTomlplusplus"),
        .target(name: "Configuration", dependencies: ["CTomlplusplus"]),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration"]),
        .target(
            name: "Fetching",
            dependencies: ["Catalog", "CCurl", "GIFDecode", .product(name: "Crypto", package: "swift-crypto")]),
        // GRDB needs the whole of Foundation: nothing that the player links may depend on this.
        .target(
            name: "Library",
            dependencies: ["Catalog", "GIFDecode", "Gallery", .product(name: "GRDB", package: "GRDB.swift")]),
        // What both executables share.
        .target(
            name: "Application",
            dependencies: [
                "CTerminal", "Catalog", "Configuration", "Fetching", "GIFDecode", "Pixels", "Playback",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(name: "Reddit", dependencies: ["CExpat", "Catalog"]),
        .testTarget(name: "RedditTests", dependencies: ["Catalog", "Fetching", "Reddit", "TestServer"]),
        .target(
            name: "Sharing",
            dependencies: ["Catalog", "TerminalIO", .product(name: "Subprocess", package: "swift-subprocess")]),
        // A process whose files can be bounded, and that can be looked at from outside.
        .executableTarget(
            name: "share-helper", dependencies: ["CSpawn", "Catalog", "Sharing"], path: "Tests/Helpers/share-helper"),
        .testTarget(name: "SharingTests", dependencies: ["Catalog", "Sharing", "TestServer", "share-helper"]),
        .executableTarget(
            name: "gifplay",
            dependencies: [
                "Application", "CTerminal", "Catalog", "Fetching", "GIFDecode", "Pixels", "Playback", "TerminalIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .executableTarget(
            name: "gifplay-browser",
            dependencies: [
                "Application", "CTerminal", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "Pixels",
                "Playback", "Reddit", "Sharing", "TerminalIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // A second process for the tests of Fetching: one that can be killed, starved or given an environment.
        .executableTarget(
            name: "fetch-helper", dependencies: ["CSpawn", "Fetching"], path: "Tests/Helpers/fetch-helper"),
        .target(
            name: "TestServer", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")],
            path: "Tests/Helpers/TestServer"),
        .testTarget(name: "FetchingTests", dependencies: ["Fetching", "TestServer", "fetch-helper"]),
        .target(
            name: "TestSupport", dependencies: ["GIFDecode", "Pixels", "Playback"], path: "Tests/Helpers/TestSupport"),
        .testTarget(name: "PixelsTests", dependencies: ["Pixels", "TestSupport"]),
        .testTarget(name: "GIFDecodeTests", dependencies: ["GIFDecode", "Pixels", "TestSupport"]),
        .target(name: "CSpawn", path: "Tests/Helpers/CSpawn"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CSpawn", "Catalog", "Fetching", "GIFDecode", "Pixels", "Playback", "TestServer", "TestSupport",
                "gifplay", "gifplay-browser", .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "ApplicationTests",
            dependencies: ["Application", "Catalog", "Configuration", "Fetching", "GIFDecode", "Pixels", "Playback"]),
        .testTarget(name: "gifplayTests", dependencies: ["Application", "gifplay"]),
        .testTarget(name: "TerminalIOTests", dependencies: ["Pixels", "Playback", "TerminalIO"]),
        .testTarget(name: "PlaybackTests", dependencies: ["GIFDecode", "Pixels", "Playback", "TestSupport"]),
        // Reads Tests/Fixtures by its own path on disk: no bundle, so no whole Foundation.
        .testTarget(name: "CatalogTests", dependencies: ["Catalog"]),
        // Only with the folder of shared fixtures at hand: GIFPLAY_SHARED, or ../shared.
        .testTarget(
            name: "SharedFixtureTests", dependencies: ["Catalog", "GIFDecode", "Pixels", "Reddit", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17
)

// Fuzz/: its bodies are tests, run over kept cases; for scripts/fuzz/run they are a module that libFuzzer drives.
let fuzzed = ["Catalog", "Configuration", "GIFDecode", "Pixels", "Playback", "Reddit", "TerminalIO"]
let fuzzing = (fuzzed + ["TestSupport"]).map { Target.Dependency.byName(name: $0) }
if Context.environment["GIFPLAY_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzing, path: "Fuzz",
            exclude: ["CFuzzer", "Dictionaries", "Driver", "Programs"], sources: ["Targets", "Kept"]))
} else {
    package.targets += [
        .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .target(name: "FuzzTargets", dependencies: fuzzing, path: "Fuzz/Targets"),
        .target(name: "FuzzDriver", dependencies: ["CFuzzer", "FuzzTargets"], path: "Fuzz/Driver"),
    ]
    for name in ["gif", "services", "config", "keys", "answers"] {
        package.targets.append(
            .executableTarget(
                name: "fuzz-\(name)", dependencies: ["FuzzDriver", "FuzzTargets"], path: "Fuzz/Programs/\(name)"))
    }
    // Counted is where the program's own code goes, not what it is held against.
    let counters = "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
    for target in package.targets where fuzzed.contains(target.name) {
        target.swiftSettings = [.unsafeFlags([counters])]
    }
}
