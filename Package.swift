// swift-tools-version: 6.3
import PackageDescription

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "scened",
  products: [
    .executable(name: "scened", targets: ["scened"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // Layer 0: imports nothing of ours.
    .target(name: "SceneRouting"),
    .target(name: "Varlink"),
    .target(name: "CLinux"),
    .target(name: "UnixSocket", dependencies: ["CLinux", system]),
    .target(name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),

    // Layer 1: what is said on the wire, and the two ends that say it.
    .target(
      name: "RouterInterface",
      dependencies: ["Varlink"],
      resources: [.embedInCode("io.scened.Router.varlink"), .embedInCode("io.scened.Manager.varlink")]
    ),
    .target(name: "VarlinkServer", dependencies: ["UnixSocket", "Varlink"]),

    // Layer 2: the router as a service, and as a library.
    .target(
      name: "SceneServer",
      dependencies: ["RouterInterface", "SceneRouting", "UnixSocket", "Varlink", "VarlinkServer", log]
    ),

    // Layer 3: programs.
    .executableTarget(name: "scened", dependencies: ["CSystemd", "SceneServer", "UnixSocket", log]),

    // Tests, and what only they need.
    .target(
      name: "ReferenceRouter",
      path: "Tests/ReferenceRouter",
      exclude: ["Generate.py", "Vectors"]
    ),
    .testTarget(name: "ReferenceRouterTests", dependencies: ["ReferenceRouter"]),
    .testTarget(name: "SceneRoutingTests", dependencies: ["ReferenceRouter", "SceneRouting"]),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink"]),
    .testTarget(name: "RouterInterfaceTests", dependencies: ["RouterInterface", "Varlink"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  var settings: [SwiftSetting] = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Views into a message's bytes are not Escapable; the annotation is not yet final.
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
  ]
  // Test macros expand into code that strict memory safety refuses.
  let isForTests = target.type == .test || target.path?.hasPrefix("Tests") == true
  if !isForTests { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
