// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "gifplay",
    products: [.executable(name: "gifplay", targets: ["gifplay"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    ],
    targets: [
        // giflib ships no pkg-config file, so its module map links it by name.
        .systemLibrary(name: "CGif", providers: [.apt(["libgif-dev"])]),
        .target(name: "CSamples"),
        .target(name: "CTerminal"),
        .target(name: "Pixels"),
        .target(name: "GIFDecode", dependencies: ["CGif", "Pixels"]),
        .target(name: "Playback", dependencies: ["CTerminal", "GIFDecode", "Pixels"]),
        .target(name: "TerminalIO", dependencies: ["CTerminal", "Playback", "Pixels"]),
        .target(name: "Catalog", dependencies: ["CSamples"]),
        .executableTarget(
            name: "gifplay",
            dependencies: [
                "Catalog", "GIFDecode", "Pixels", "Playback", "TerminalIO",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(name: "TestSupport", dependencies: ["GIFDecode", "Pixels", "Playback"], path: "Tests/Support"),
        .testTarget(name: "PixelsTests", dependencies: ["Pixels", "TestSupport"]),
        .testTarget(name: "GIFDecodeTests", dependencies: ["GIFDecode", "Pixels", "TestSupport"]),
        .target(name: "CSpawn", path: "Tests/CSpawn"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["CSpawn", "Catalog", "GIFDecode", "Pixels", "Playback", "TestSupport", "gifplay"]),
        .testTarget(name: "TerminalIOTests", dependencies: ["Pixels", "Playback", "TerminalIO"]),
        .testTarget(name: "PlaybackTests", dependencies: ["GIFDecode", "Pixels", "Playback", "TestSupport"]),
        // Reads Tests/Fixtures by its own path on disk: no bundle, so no whole Foundation.
        .testTarget(name: "CatalogTests", dependencies: ["Catalog"]),
        // Only with the folder of shared fixtures at hand: GIFPLAY_SHARED, or ../shared.
        .testTarget(name: "SharedFixtureTests", dependencies: ["Catalog"]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c2x
)
