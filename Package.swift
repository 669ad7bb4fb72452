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
    .target(name: "Pixels", dependencies: ["Base", "CGif", "CZlib"], swiftSettings: optimized),
    .target(name: "Playback", dependencies: ["Base", "CTerminal", "Pixels"]),
    .target(name: "Catalog", dependencies: ["Base", "CCurl", "CSamples", "Pixels"]),
    .target(name: "Library", dependencies: ["Base", "CSQLite", "CTerminal", "Catalog", "Pixels"]),
    .target(name: "Gallery", dependencies: ["Base", "Catalog", "Library", "Pixels", "Playback"]),
    .target(
        name: "Application",
        dependencies: ["Base", "CTerminal", "Catalog", "Gallery", "Library", "Pixels", "Playback"]),
    .executableTarget(name: "gifplay", dependencies: ["Application", "Base", "CTerminal", "Catalog"]),
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
    helper("TestSupport", ["Base", "CZlib", "Pixels", "Playback"], optimized),
    // Test doubles of the loader, of repositories and of item sources.
    helper("LoadingSupport", ["Application", "Base", "Catalog"]),
    program("fetch-helper", ["Base", "Catalog", "CSpawn"]),
    program("library-helper", ["Catalog", "Library"]),
    program("share-helper", ["Catalog", "CSpawn", "Library"]),
    program(
        "cost-helper",
        ["Application", "Base", "Catalog", "CCallgrind", "Gallery", "Library", "Pixels", "Playback"]),
]

// The modules whose code reads untrusted bytes.
let fuzzed = ["Application", "Base", "Catalog", "Pixels", "Playback"]

// The tests read Tests/Fixtures by path, because a resource bundle would link all of Foundation.
let tests: [Target] = [
    .testTarget(name: "BaseTests", dependencies: ["Base", "TestSupport"]),
    .testTarget(
        name: "OutsideInputTests",
        dependencies: [
            "Application", "Base", "Catalog", "cost-helper", "Gallery", "Library", "Pixels", "Playback", "TestServer",
        ]),
    .testTarget(name: "PixelsTests", dependencies: ["Base", "Pixels", "TestSupport"]),
    .testTarget(
        name: "PlaybackTests",
        dependencies: ["Base", "Pixels", "Playback", "TestSupport"]),
    .testTarget(
        name: "CatalogTests",
        dependencies: ["Application", "Base", "Catalog", "LoadingSupport", "TestServer", "TestSupport"]),
    // They are apart from CatalogTests, because their servers' threads disturb the check for leaks of scripts/sanitize.
    .testTarget(name: "FetchingTests", dependencies: ["Base", "Catalog", "fetch-helper", "Pixels", "TestServer"]),
    .testTarget(
        name: "GalleryTests",
        dependencies: ["Base", "Catalog", "Gallery", "Library", "Pixels", "Playback", "TestSupport"],
        exclude: ["Screens"]),
    .testTarget(
        name: "LibraryTests", dependencies: ["Catalog", "Library", "library-helper", "share-helper", "TestServer"],
        exclude: ["Schemas"]),
    .testTarget(
        name: "ApplicationTests",
        dependencies: [
            "Application", "Base", "Catalog", "Gallery", "gifplay", "Library", "LoadingSupport", "Pixels", "Playback",
            "TestServer", "TestSupport",
        ]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "Application", "Base", "Catalog", "CSpawn", "gifplay", "Library", "Pixels", "Playback", "TestServer",
            "TestSupport",
        ]),
    // The tests are skipped unless the shared fixtures are in GIFPLAY_SHARED or ../shared.
    .testTarget(
        name: "SharedFixtureTests", dependencies: ["Catalog", "Pixels", "TestSupport"]),
    // Replays the recorded inputs of the fuzz targets.
    .testTarget(
        name: "FuzzTests", dependencies: (fuzzed + ["TestSupport"]).map { .init(stringLiteral: $0) }, path: "Fuzz",
        exclude: ["CFuzzer", "Dictionaries", "Driver", "Package.swift", "Programs"], sources: ["Recorded", "Targets"]),
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
