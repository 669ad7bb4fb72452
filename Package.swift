// swift-tools-version: 6.0
import PackageDescription

// docs/ARCHITECTURE.md describes the modules. Fuzz/ is also a package of its own, whose programs run under libFuzzer.

// Without optimization, painting, scaling and encoding take most of the tests' processor time: SharedFixtureTests take
// 15 s instead of 1 s.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// The module maps name the libraries. pkg-config is not used: it would put the folder of the shared libraries before
// that of the static ones, which scripts/build links. scripts/setup installs the headers and libraries.
let systemLibraries = ["CCrypto", "CGif", "CSQLite", "CZlib"].map { Target.systemLibrary(name: $0) }

// libcurl is loaded at run time by the first request, so no linker setting names it.
let cTargets: [Target] =
    [
        .target(name: "CCurl"),
        // They embed files of other folders.
        .target(name: "CSamples", cSettings: [.headerSearchPath("../../Samples")]),
        .target(name: "CTerminal", cSettings: [.headerSearchPath("../..")]),
    ]

let modules: [Target] = [
    .target(name: "Base", dependencies: ["CCrypto", "CTerminal"]),
    .target(name: "Pixels", dependencies: ["CZlib"], swiftSettings: optimized),
    .target(name: "GIFDecode", dependencies: ["Base", "CGif", "Pixels"]),
    .target(name: "TerminalIO", dependencies: ["Base", "CTerminal", "Pixels"]),
    .target(name: "Playback", dependencies: ["Base", "CTerminal", "GIFDecode", "Pixels", "TerminalIO"]),
    .target(name: "Catalog", dependencies: ["Base", "CCurl", "CSamples"]),
    .target(name: "Fetching", dependencies: ["Base", "Catalog", "CCurl", "GIFDecode"]),
    .target(name: "Reddit", dependencies: ["Base", "Catalog"]),
    .target(name: "Sharing", dependencies: ["Base", "CTerminal", "Catalog", "Pixels"]),
    .target(
        name: "Gallery",
        dependencies: ["Base", "Catalog", "GIFDecode", "Pixels", "Playback", "Sharing", "TerminalIO"]),
    .target(name: "SQLite", dependencies: ["Base", "CSQLite"]),
    .target(name: "Library", dependencies: ["Base", "Catalog", "SQLite"]),
    .target(
        name: "Application",
        dependencies: [
            "Base", "CTerminal", "Catalog", "Fetching", "GIFDecode", "Pixels", "Playback",
        ]),
    .executableTarget(
        name: "gifplay",
        dependencies: [
            "Application", "Base", "CTerminal", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "Pixels",
            "Playback", "Reddit", "Sharing", "TerminalIO",
        ]),
]

/// A module in Tests/Helpers.
func helper(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Helpers/\(name)", swiftSettings: settings)
}

/// A program in Tests/Helpers that tests kill, limit, or start with a modified environment.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/Helpers/\(name)")
}

let testHelpers: [Target] = [
    helper("CCallgrind", []),
    helper("CSpawn", []),
    helper("TestServer", ["Base"]),
    helper("TestSupport", ["Base", "CZlib", "GIFDecode", "Pixels", "Playback"], optimized),
    // Test doubles of the loader, of repositories and of item sources.
    helper("LoadingSupport", ["Application", "Base", "Catalog", "Fetching"]),
    program("fetch-helper", ["Base", "CSpawn", "Fetching"]),
    program("library-helper", ["Catalog", "Library"]),
    program("share-helper", ["CSpawn", "Catalog", "Sharing"]),
    program(
        "cost-helper",
        [
            "Application", "Base", "CCallgrind", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "Pixels",
            "Playback", "Reddit", "TerminalIO",
        ]),
]

// The modules whose code reads untrusted bytes.
let fuzzed = ["Application", "Base", "Catalog", "GIFDecode", "Pixels", "Playback", "Reddit", "TerminalIO"]

// The tests read Tests/Fixtures by path, because a resource bundle would link all of Foundation.
let tests: [Target] = [
    .testTarget(name: "BaseTests", dependencies: ["Base", "TestSupport"]),
    .testTarget(
        name: "OutsideInputTests",
        dependencies: [
            "Application", "Base", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "Pixels", "Playback",
            "Reddit", "SQLite", "TerminalIO", "TestServer", "cost-helper",
        ]),
    .testTarget(name: "PixelsTests", dependencies: ["Base", "Pixels", "TestSupport"]),
    .testTarget(name: "GIFDecodeTests", dependencies: ["GIFDecode", "Pixels", "TestSupport"]),
    .testTarget(
        name: "PlaybackTests",
        dependencies: ["Base", "GIFDecode", "Pixels", "Playback", "TerminalIO", "TestSupport"]),
    .testTarget(name: "TerminalIOTests", dependencies: ["Base", "Pixels", "TerminalIO"]),
    .testTarget(name: "CatalogTests", dependencies: ["Application", "Base", "Catalog"]),
    .testTarget(name: "FetchingTests", dependencies: ["Base", "Fetching", "TestServer", "fetch-helper"]),
    .testTarget(name: "RedditTests", dependencies: ["Catalog", "Fetching", "Reddit", "TestServer"]),
    .testTarget(name: "SharingTests", dependencies: ["Catalog", "Sharing", "TestServer", "share-helper"]),
    .testTarget(
        name: "GalleryTests",
        dependencies: [
            "Base", "Catalog", "GIFDecode", "Gallery", "Pixels", "Playback", "Sharing", "TerminalIO", "TestSupport",
        ],
        exclude: ["Screens"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestServer"]),
    .testTarget(
        name: "LibraryTests", dependencies: ["Catalog", "Library", "SQLite", "TestServer", "library-helper"],
        exclude: ["Schemas"]),
    .testTarget(
        name: "ApplicationTests",
        dependencies: [
            "Application", "Base", "Catalog", "Fetching", "GIFDecode", "LoadingSupport", "Pixels", "Playback",
            "TestServer", "TestSupport",
        ]),
    .testTarget(
        name: "gifplayTests",
        dependencies: [
            "Application", "Base", "Catalog", "Fetching", "GIFDecode", "Gallery", "Library", "LoadingSupport", "Pixels",
            "Playback", "Sharing", "TerminalIO", "TestServer", "TestSupport", "gifplay",
        ]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "Application", "Base", "CSpawn", "Catalog", "Fetching", "GIFDecode", "Library", "Pixels", "Playback",
            "SQLite", "TestServer", "TestSupport", "gifplay",
        ]),
    // The tests are skipped unless the shared fixtures are in GIFPLAY_SHARED or ../shared.
    .testTarget(
        name: "SharedFixtureTests", dependencies: ["Catalog", "GIFDecode", "Pixels", "Reddit", "TestSupport"]),
    // Replays the recorded inputs of the fuzz targets.
    .testTarget(
        name: "FuzzTests", dependencies: (fuzzed + ["TestSupport"]).map { .init(stringLiteral: $0) }, path: "Fuzz",
        exclude: ["CFuzzer", "Dictionaries", "Driver", "Package.swift", "Programs"], sources: ["Targets", "Recorded"]),
]

let package = Package(
    name: "gifplay",
    products: [
        .executable(name: "gifplay", targets: ["gifplay"]),
        .library(name: "Fuzzed", targets: fuzzed + ["TestSupport"]),
    ],
    targets: systemLibraries + cTargets + modules + testHelpers + tests,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
