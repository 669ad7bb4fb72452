// swift-tools-version: 6.3
import PackageDescription

// MARK: - Optimized modules of a debug build

// Without optimization, painting, scaling and encoding take most of the tests' processor time: SharedFixtureTests take
// 15 s instead of 1 s.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// MARK: - C libraries and shims

let cLibraries: [Target] = [
    // The module maps name the libraries. pkg-config is not used: it would put the folder of the shared libraries before
    // that of the static ones, which scripts/build links.
    .systemLibrary(name: "CGif", providers: [.apt(["libgif-dev"])]),
    .systemLibrary(name: "CMd", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    // libcurl is loaded at run time by the first request, so no linker setting names it.
    .target(name: "CCurl"),
    .target(name: "CSamples"),
    .target(name: "CTerminal"),
    // A C interface to toml++, which is a Debian package of C++ headers; compiled without exceptions.
    .target(name: "CTomlplusplus"),
]

// MARK: - Base

let base: [Target] = [
    .target(name: "Base", dependencies: ["CMd", "CTerminal"]),
    .target(name: "Pixels", dependencies: ["CZlib"], swiftSettings: optimized),
]

// MARK: - Features

let features: [Target] = [
    .target(name: "GIFDecode", dependencies: ["Base", "CGif", "Pixels"]),
    .target(name: "Playback", dependencies: ["Base", "CTerminal", "GIFDecode", "Pixels"]),
    .target(name: "TerminalIO", dependencies: ["Base", "CTerminal", "Playback", "Pixels"]),
    .target(name: "Catalog", dependencies: ["Base", "CCurl", "CSamples"]),
    .target(name: "Fetching", dependencies: ["Base", "Catalog", "CCurl", "GIFDecode"]),
    .target(name: "Reddit", dependencies: ["Base", "CExpat", "Catalog"]),
    .target(
        name: "Sharing",
        dependencies: ["Base", "CTerminal", "Catalog", "TerminalIO"]),
    .target(name: "Gallery", dependencies: ["Base", "Catalog", "GIFDecode", "Pixels", "Playback", "Sharing"]),
    .target(name: "SQLite", dependencies: ["Base", "CSQLite"]),
    .target(name: "Library", dependencies: ["Base", "Catalog", "SQLite"]),
    .target(
        name: "Application",
        dependencies: [
            "Base", "CTerminal", "CTomlplusplus", "Catalog", "Fetching", "GIFDecode", "Pixels", "Playback",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ]),
]

// MARK: - Executable

let executables: [Target] = [
    .executableTarget(
        name: "gifplay",
        dependencies: [
            "Application", "Base", "CTerminal", "Catalog", "Fetching", "GIFDecode", "Gallery",
            "Library", "Pixels", "Playback", "Reddit", "Sharing", "TerminalIO",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ])
]

// MARK: - Tests

let testHelpers: [Target] = [
    .target(name: "CSpawn", path: "Tests/Helpers/CSpawn"),
    .target(name: "CCallgrind", path: "Tests/Helpers/CCallgrind"),
    .target(name: "TestServer", dependencies: ["Base"], path: "Tests/Helpers/TestServer"),
    .target(
        name: "TestSupport", dependencies: ["Base", "CZlib", "GIFDecode", "Pixels", "Playback"],
        path: "Tests/Helpers/TestSupport", swiftSettings: optimized),
    // Test doubles of the loader, of repositories and of item sources.
    .target(
        name: "LoadingSupport", dependencies: ["Application", "Base", "Catalog", "Fetching"],
        path: "Tests/Helpers/LoadingSupport"),
    // Programs that tests kill, limit, or start with a modified environment.
    .executableTarget(
        name: "fetch-helper", dependencies: ["Base", "CSpawn", "Fetching"], path: "Tests/Helpers/fetch-helper"),
    .executableTarget(
        name: "library-helper", dependencies: ["Catalog", "Library"], path: "Tests/Helpers/library-helper"),
    .executableTarget(
        name: "share-helper", dependencies: ["CSpawn", "Catalog", "Sharing"], path: "Tests/Helpers/share-helper"),
    // A program whose instructions the tests count.
    .executableTarget(
        name: "cost-helper",
        dependencies: [
            "CCallgrind", "Application", "Base", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "Pixels",
            "Playback",
            "Reddit", "TerminalIO",
        ], path: "Tests/Helpers/cost-helper"),
]

let tests: [Target] = [
    .testTarget(name: "BaseTests", dependencies: ["Base"]),
    .testTarget(
        name: "OutsideInputTests",
        dependencies: [
            "Application", "Base", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "Pixels", "Playback",
            "Reddit",
            "SQLite", "TerminalIO", "TestServer", "cost-helper",
        ]),
    .testTarget(name: "PixelsTests", dependencies: ["Base", "Pixels", "TestSupport"]),
    .testTarget(name: "GIFDecodeTests", dependencies: ["GIFDecode", "Pixels", "TestSupport"]),
    .testTarget(name: "PlaybackTests", dependencies: ["Base", "GIFDecode", "Pixels", "Playback", "TestSupport"]),
    .testTarget(name: "TerminalIOTests", dependencies: ["Base", "Pixels", "Playback", "TerminalIO"]),
    // The tests read Tests/Fixtures by path, because a resource bundle would link all of Foundation.
    .testTarget(name: "CatalogTests", dependencies: ["Base", "Catalog"]),
    .testTarget(name: "FetchingTests", dependencies: ["Base", "Fetching", "TestServer", "fetch-helper"]),
    .testTarget(name: "RedditTests", dependencies: ["Catalog", "Fetching", "Reddit", "TestServer"]),
    .testTarget(name: "SharingTests", dependencies: ["Catalog", "Sharing", "TestServer", "share-helper"]),
    .testTarget(
        name: "GalleryTests",
        dependencies: ["Base", "Catalog", "GIFDecode", "Gallery", "Pixels", "Playback", "Sharing", "TestSupport"],
        exclude: ["Screens"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestServer"]),
    .testTarget(
        name: "LibraryTests",
        dependencies: ["Catalog", "Library", "SQLite", "TestServer", "library-helper"],
        exclude: ["Schemas"]),
    .testTarget(
        name: "ApplicationTests",
        dependencies: [
            "Application", "Base", "Catalog", "Fetching", "GIFDecode", "LoadingSupport", "Pixels",
            "Playback", "TestServer", "TestSupport",
        ]),
    .testTarget(
        name: "gifplayTests",
        dependencies: [
            "Application", "Base", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "LoadingSupport", "Pixels",
            "Playback", "Sharing", "TestServer", "TestSupport", "gifplay",
        ]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "Base", "CSpawn", "Catalog", "Fetching", "GIFDecode", "Pixels", "Playback", "SQLite", "TestServer",
            "TestSupport", "gifplay",
        ]),
    // The tests are skipped unless the shared fixtures are in GIFPLAY_SHARED or ../shared.
    .testTarget(
        name: "SharedFixtureTests", dependencies: ["Catalog", "GIFDecode", "Pixels", "Reddit", "TestSupport"]),
]

let package = Package(
    name: "gifplay",
    products: [.executable(name: "gifplay", targets: ["gifplay"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
    ],
    targets: cLibraries + base + features + executables + testHelpers + tests,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17
)

// MARK: - Fuzzing

// By default the targets in Fuzz/ are tests that replay recorded cases; scripts/fuzz/run builds them for libFuzzer.
let fuzzed = ["Application", "Base", "Catalog", "GIFDecode", "Pixels", "Playback", "Reddit", "TerminalIO"]
let fuzzing = (fuzzed + ["TestSupport"]).map { Target.Dependency.byName(name: $0) }
if Context.environment["GIFPLAY_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzing, path: "Fuzz",
            exclude: ["CFuzzer", "Dictionaries", "Driver", "Programs"], sources: ["Targets", "Recorded"]))
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
    // Instrument only the program's own modules, so that only their coverage guides the fuzzer.
    let counters = "-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"
    for target in package.targets where fuzzed.contains(target.name) {
        target.swiftSettings = [.unsafeFlags([counters])]
    }
}
