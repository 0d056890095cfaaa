// swift-tools-version: 6.2

import PackageDescription

/// One strictness for every Swift target; one that needs less says so, and why, where it is declared.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "EchoText",
    products: [
        .executable(name: "echotext", targets: ["EchoTextCLI"]),
        .executable(name: "echotext-bench", targets: ["EchoTextBench"]),
    ],
    // Each by its very version, so that what is built tomorrow is what was tried; Documentation/Dependencies.md says how one is changed.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            exact: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
    ],
    targets: [
        // MARK: EchoText — the domain; imports no engine, sound library or process
        .target(
            name: "EchoText",
            dependencies: [.product(name: "OrderedCollections", package: "swift-collections"), logging],
            exclude: ["README.md"],
            resources: [.embedInCode("Resources/voice-catalogue.json")],
            swiftSettings: strict
        ),
        .target(
            name: "EchoTextTesting",
            dependencies: ["CProcess", "EchoText", .product(name: "Crypto", package: "swift-crypto")],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(name: "EchoTextTests", dependencies: ["EchoText", "EchoTextTesting"], swiftSettings: strict),

        // MARK: API — what programs read: the same values in a route's answer and in a command's `--json`
        .target(name: "API", dependencies: ["EchoText"], exclude: ["README.md"], swiftSettings: strict),

        // MARK: FileSystem — descriptors: locks, watches, whole and atomic writes, waits that can be ended
        .target(
            name: "FileSystem",
            dependencies: ["CProcess", "EchoText"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FileSystemTests",
            dependencies: ["EchoText", "EchoTextTesting", "FileSystem"],
            swiftSettings: strict
        ),

        // MARK: Books — recordings as ZIP, EPUB 3 and chapters
        .systemLibrary(name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Books", dependencies: ["CZlib", "EchoText"], exclude: ["README.md"], swiftSettings: strict),
        .testTarget(
            name: "BooksTests",
            dependencies: ["AudioFiles", "Books", "EchoText", "EchoTextTesting"],
            swiftSettings: strict
        ),

        // MARK: ONNXFormat — the bytes of a model's file, for whoever opens or completes one
        .target(name: "ONNXFormat", exclude: ["README.md"], swiftSettings: strict),
        .testTarget(name: "ONNXFormatTests", dependencies: ["EchoTextTesting", "ONNXFormat"], swiftSettings: strict),

        // MARK: SpeechEngines — espeak-ng, ONNX Runtime and sherpa-onnx
        // Its header only: the library is opened by the worker that needs it, and by no other process.
        .systemLibrary(name: "CEspeakNG", path: "Sources/C/CEspeakNG", providers: [.apt(["libespeak-ng-dev"])]),
        .target(name: "CSherpaOnnx", path: "Sources/C/CSherpaOnnx"),
        .target(name: "CQuantization", path: "Sources/C/CQuantization"),
        .target(
            name: "SpeechEngines",
            dependencies: ["CEspeakNG", "CQuantization", "CSherpaOnnx", "CZlib", "EchoText", "ONNXFormat", logging],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SpeechEnginesTests",
            dependencies: [
                "EchoText", "EchoTextCLI", "EchoTextTesting", "ONNXFormat", "SpeechEngines", "Workers", logging,
            ],
            swiftSettings: strict
        ),

        // MARK: TextAnalysis — sentences and words, with ICU
        .target(name: "CICU", path: "Sources/C/CICU", linkerSettings: [.linkedLibrary("icuuc")]),
        .target(
            name: "TextAnalysis",
            dependencies: ["CICU", "EchoText"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TextAnalysisTests",
            dependencies: ["EchoText", "EchoTextTesting", "TextAnalysis"],
            swiftSettings: strict
        ),

        // MARK: AudioFiles — sound files, pitch and rate, playback
        .systemLibrary(
            name: "CSndFile",
            path: "Sources/C/CSndFile",
            pkgConfig: "sndfile",
            providers: [.apt(["libsndfile1-dev"])]
        ),
        .systemLibrary(
            name: "CSampleRate",
            path: "Sources/C/CSampleRate",
            pkgConfig: "samplerate",
            providers: [.apt(["libsamplerate0-dev"])]
        ),
        .systemLibrary(
            name: "CRubberBand",
            path: "Sources/C/CRubberBand",
            pkgConfig: "rubberband",
            providers: [.apt(["librubberband-dev"])]
        ),
        .target(name: "CMemoryFile", path: "Sources/C/CMemoryFile"),
        .target(
            name: "AudioFiles",
            dependencies: [
                "CMemoryFile", "CProcess", "CRubberBand", "CSampleRate", "CSndFile", "EchoText", "FileSystem",
                logging,
            ],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AudioFilesTests",
            dependencies: ["AudioFiles", "EchoText", "EchoTextTesting"],
            swiftSettings: strict
        ),

        // MARK: DocumentReaders — strangers' files: PDF, EPUB, text and Markdown
        .systemLibrary(
            name: "CPoppler",
            path: "Sources/C/CPoppler",
            pkgConfig: "poppler-glib",
            providers: [.apt(["libpoppler-glib-dev"])]
        ),
        .systemLibrary(
            name: "CArchive",
            path: "Sources/C/CArchive",
            pkgConfig: "libarchive",
            providers: [.apt(["libarchive-dev"])]
        ),
        .systemLibrary(
            name: "CXML",
            path: "Sources/C/CXML",
            pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]
        ),
        .systemLibrary(
            name: "CMarkdown",
            path: "Sources/C/CMarkdown",
            pkgConfig: "libcmark-gfm",
            providers: [.apt(["libcmark-gfm-dev"])]
        ),
        .systemLibrary(
            name: "CTurboJPEG",
            path: "Sources/C/CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]
        ),
        .systemLibrary(
            name: "CUchardet",
            path: "Sources/C/CUchardet",
            pkgConfig: "uchardet",
            providers: [.apt(["libuchardet-dev"])]
        ),
        .target(
            name: "DocumentReaders",
            dependencies: ["CArchive", "CICU", "CMarkdown", "CPoppler", "CTurboJPEG", "CUchardet", "CXML", "EchoText"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DocumentReadersTests",
            dependencies: ["DocumentReaders", "EchoText", "EchoTextTesting", "ReaderFixture", "Workers", logging],
            swiftSettings: strict
        ),

        // MARK: Workers — child processes of the program itself
        .target(name: "CProcess", path: "Sources/C/CProcess"),
        .target(
            name: "Workers",
            dependencies: ["CProcess", "EchoText", "FileSystem", logging],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ReaderFixture",
            dependencies: ["DocumentReaders", "EchoText", "Workers"],
            path: "Tests/ReaderFixture",
            swiftSettings: strict
        ),
        .target(name: "CAttempts", path: "Tests/CAttempts"),
        .executableTarget(
            name: "WorkerFixture",
            dependencies: ["CAttempts", "EchoText", "EchoTextTesting", "Workers", logging],
            path: "Tests/WorkerFixture",
            swiftSettings: strict
        ),
        .testTarget(
            name: "WorkersTests",
            dependencies: [
                "CProcess", "EchoText", "EchoTextCLI", "EchoTextTesting", "WorkerFixture", "Workers", logging,
            ],
            swiftSettings: strict
        ),

        // MARK: ModelInstallation — the folders where voices and recognisers are installed
        .target(name: "CModelInstallation", path: "Sources/C/CModelInstallation"),
        .target(
            name: "ModelInstallation",
            dependencies: ["CArchive", "CModelInstallation", "EchoText", "FileSystem", "ONNXFormat"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ModelInstallationTests",
            dependencies: [
                "EchoText", "EchoTextCLI", "EchoTextTesting", "ModelInstallation", "ONNXFormat", "Workers", logging,
            ],
            swiftSettings: strict
        ),

        // MARK: LibraryStore — keys, the security chip, the encrypted database and the sealed contents
        .systemLibrary(
            name: "CSodium",
            path: "Sources/C/CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .target(
            name: "CTPM",
            path: "Sources/C/CTPM",
            linkerSettings: [.linkedLibrary("tss2-esys"), .linkedLibrary("tss2-mu"), .linkedLibrary("tss2-tctildr")]
        ),
        .target(
            name: "LibraryStore",
            dependencies: [
                "CProcess",
                "CSodium",
                "CTPM",
                "EchoText",
                "FileSystem",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                logging,
            ],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "StoreFixture",
            dependencies: ["CProcess", "EchoText", "EchoTextTesting", "LibraryStore"],
            path: "Tests/StoreFixture",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "AgentFixture",
            dependencies: ["CProcess", "LibraryStore"],
            path: "Tests/AgentFixture",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LibraryStoreTests",
            dependencies: [
                "AgentFixture",
                "CProcess",
                "CTPM",
                "EchoText",
                "EchoTextTesting",
                "FileSystem",
                "LibraryStore",
                "StoreFixture",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),

        // MARK: Outbound — connects: the catalogue of voices and their archives, services that transcribe
        .target(name: "CNetwork", path: "Sources/C/CNetwork"),
        .target(
            name: "Outbound",
            dependencies: [
                "CNetwork",
                "EchoText",
                "FileSystem",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "OutboundTests",
            dependencies: [
                "EchoText",
                "EchoTextTesting",
                "FileSystem",
                "Outbound",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),

        // MARK: WebApp — listens; the page and its API
        .target(
            name: "WebApp",
            dependencies: [
                "API",
                "Books",
                "CZlib",
                "EchoText",
                "FileSystem",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                logging,
            ],
            exclude: ["README.md"],
            resources: [.copy("Resources/openapi.json"), .copy("Resources/www")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebAppTests",
            dependencies: [
                "API",
                "EchoText",
                "EchoTextTesting",
                "FileSystem",
                "WebApp",
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                logging,
            ],
            swiftSettings: strict
        ),

        // MARK: EchoTextCLI — commands, settings and the one place that knows every adapter
        .executableTarget(
            name: "EchoTextCLI",
            dependencies: [
                "API",
                "AudioFiles",
                "Books",
                "CProcess",
                "DocumentReaders",
                "EchoText",
                "FileSystem",
                "LibraryStore",
                "ModelInstallation",
                "Outbound",
                "SpeechEngines",
                "TextAnalysis",
                "WebApp",
                "Workers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                logging,
            ],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EchoTextCLITests",
            dependencies: [
                "API", "AudioFiles", "EchoText", "EchoTextCLI", "EchoTextTesting", "WebApp",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "AudioFiles", "CProcess", "EchoText", "EchoTextCLI", "EchoTextTesting", "WorkerFixture",
            ],
            swiftSettings: strict
        ),

        // MARK: Fuzzing — what reads a stranger's bytes, on bytes that nobody has thought of; `make fuzz` links libFuzzer to it
        .target(name: "CReplay", path: "Tests/CReplay"),
        .executableTarget(
            name: "Fuzzing",
            dependencies: [
                "CReplay", "DocumentReaders", "EchoText", "LibraryStore", "ONNXFormat", "SpeechEngines", "Workers",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Fuzzing",
            exclude: ["words.dict"],
            // Targets look into other modules (`@testable`), which a build for release opens only when it is told to.
            swiftSettings: strict + [.define("TESTABLE", .when(configuration: .debug))]
        ),
        .testTarget(name: "FuzzingTests", dependencies: ["EchoTextTesting", "Fuzzing"], swiftSettings: strict),

        // MARK: EchoTextBench — the Swift side of `make bench`
        .executableTarget(
            name: "EchoTextBench",
            dependencies: [
                "DocumentReaders", "EchoText", "LibraryStore", "SpeechEngines", "TextAnalysis", "Workers", logging,
            ],
            path: "Benchmarks/EchoTextBench",
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
