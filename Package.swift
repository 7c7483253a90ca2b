// swift-tools-version: 6.3
import PackageDescription

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")

// What needs a display, a browser, release builds and downloads is no part of `swift test`; `.ci/run` has it.
let isForDesktop = Context.environment["SCENED_DESKTOP"] != nil

let package = Package(
  name: "scened",
  products: [
    .library(name: "SceneClient", targets: ["SceneClient"]),
    .library(name: "ExternalEvents", targets: ["ExternalEvents"]),
    .library(name: "Varlink", targets: ["Varlink"]),
    .library(name: "VarlinkServer", targets: ["VarlinkServer"]),
    .library(name: "VarlinkClient", targets: ["VarlinkClient"]),
    .executable(name: "InterfaceGenerator", targets: ["InterfaceGenerator"]),
    .executable(name: "scened", targets: ["scened"]),
    .executable(name: "scenectl", targets: ["scenectl"]),
    // For tests alone, which load it into the daemon: what is linked into a test would count in that.
    .library(name: "AllocationCount", type: .dynamic, targets: ["AllocationCount"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // Layer 0: imports nothing of ours.
    .target(name: "SceneRouting"),
    .target(name: "DesktopEntries"),
    .target(name: "Varlink", resources: [.embedInCode("Service/org.varlink.service.varlink")]),
    .target(name: "CLinux"),
    .target(name: "UnixSocket", dependencies: ["CLinux", system]),
    .target(name: "CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
    .target(name: "QueueExecution"),
    .systemLibrary(name: "CSessionBus"),
    .target(name: "SessionBus", dependencies: ["CSessionBus", "QueueExecution"]),
    .target(name: "CProcess"),

    // Layer 1: what is said on the wire, and the two ends that say it.
    .target(
      name: "RouterInterface",
      dependencies: ["Varlink"],
      resources: [.embedInCode("io.scened.Router.varlink"), .embedInCode("io.scened.Manager.varlink")]
    ),
    .target(name: "VarlinkServer", dependencies: ["QueueExecution", "UnixSocket", "Varlink"]),
    .target(name: "VarlinkClient", dependencies: ["CLinux", "CProcess", "UnixSocket", "Varlink"]),
    .target(name: "SceneLint", dependencies: ["DesktopEntries", "SceneRouting"]),
    .target(name: "Installed", dependencies: ["DesktopEntries", "SceneRouting", system]),

    // Writes types of interfaces into the sources; what it wrote is checked in.
    .executableTarget(name: "InterfaceGenerator", dependencies: ["Varlink"]),

    // Layer 2: the router as a service, and as a library; starts of programs.
    .target(
      name: "SceneServer",
      dependencies: [
        "QueueExecution", "RouterInterface", "SceneRouting", "UnixSocket", "Varlink", "VarlinkServer", log,
      ]
    ),
    .target(
      name: "SceneClient",
      dependencies: ["RouterInterface", "UnixSocket", "Varlink", "VarlinkClient", system]
    ),
    .target(
      name: "Launching",
      dependencies: [
        "CProcess", "DesktopEntries", "Installed", "QueueExecution", "SceneRouting", "SessionBus", system,
      ]
    ),

    // Layer 3: programs, and the library in SwiftUI's words.
    .target(name: "ExternalEvents", dependencies: ["SceneClient", "VarlinkClient"]),
    .executableTarget(
      name: "scened",
      dependencies: [
        "CProcess", "CSystemd", "DesktopEntries", "Installed", "Launching", "QueueExecution",
        "RouterInterface", "SceneRouting", "SceneServer", "SessionBus", "UnixSocket", log, system,
      ]
    ),
    .executableTarget(
      name: "scenectl",
      dependencies: [
        "CProcess", "DesktopEntries", "Installed", "SceneClient", "SceneLint", "SceneRouting", "UnixSocket",
        "Varlink", "VarlinkClient", argumentParser, subprocess, system,
      ]
    ),

    // Layer 4: examples of applications, and the terminal that they draw on.
    .target(name: "ExampleScreen", path: "Sources/Examples/ExampleScreen"),
    .executableTarget(
      name: "ContactList",
      dependencies: ["ExampleScreen", "ExternalEvents"],
      path: "Sources/Examples/ContactList",
      exclude: ["org.example.ContactList.desktop"]
    ),
    .executableTarget(
      name: "MyPhotos",
      dependencies: ["ExampleScreen", "ExternalEvents"],
      path: "Sources/Examples/MyPhotos",
      exclude: ["org.example.MyPhotos.desktop"]
    ),

    // A service and a client of Varlink, as in a package of their own.
    .target(
      name: "CalculatorInterface",
      dependencies: ["Varlink"],
      path: "Sources/Examples/Calculator/CalculatorInterface",
      exclude: ["org.example.calculator.varlink"]
    ),
    .executableTarget(
      name: "CalculatorService",
      dependencies: ["CalculatorInterface", "VarlinkServer"],
      path: "Sources/Examples/Calculator/CalculatorService"
    ),
    .executableTarget(
      name: "CalculatorClient",
      dependencies: ["CalculatorInterface", "VarlinkClient"],
      path: "Sources/Examples/Calculator/CalculatorClient"
    ),

    // What only tests need: the reference, other ends of sockets, programs to talk to.
    .target(name: "TestSupport", dependencies: ["CLinux", "UnixSocket", system], path: "Tests/TestSupport"),
    .target(
      name: "ReferenceRouter",
      path: "Tests/ReferenceRouter",
      exclude: ["Generate.py", "Vectors"]
    ),
    .target(
      name: "ScriptedService",
      dependencies: ["TestSupport", "UnixSocket", "Varlink"],
      path: "Tests/ScriptedService"
    ),
    .target(name: "AllocationCount", path: "Tests/AllocationCount"),
    .executableTarget(name: "AllocatingProgram", path: "Tests/AllocatingProgram"),
    .executableTarget(name: "ListenReport", dependencies: ["CSystemd"], path: "Tests/ListenReport"),
    .executableTarget(name: "Stranger", dependencies: ["UnixSocket"], path: "Tests/Stranger"),
    .executableTarget(
      name: "NotificationServer",
      path: "Tests/NotificationServer",
      linkerSettings: [.linkedLibrary("systemd")]
    ),

    .executableTarget(name: "ReportingProgram", path: "Tests/ReportingProgram"),
    .executableTarget(
      name: "ApplicationService",
      path: "Tests/ApplicationService",
      linkerSettings: [.linkedLibrary("systemd")]
    ),
    .executableTarget(
      name: "LaunchProgram",
      dependencies: ["DesktopEntries", "Launching", "QueueExecution", "SessionBus"],
      path: "Tests/LaunchProgram"
    ),

    // Tests, in the order of the layers.
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport", "UnixSocket"]),
    .testTarget(name: "ReferenceRouterTests", dependencies: ["ReferenceRouter"]),
    .testTarget(name: "SceneRoutingTests", dependencies: ["ReferenceRouter", "SceneRouting"]),
    .testTarget(name: "DesktopEntriesTests", dependencies: ["DesktopEntries"]),
    .testTarget(name: "VarlinkTests", dependencies: ["Varlink"]),
    .testTarget(name: "UnixSocketTests", dependencies: ["CLinux", "TestSupport", "UnixSocket", system]),
    .testTarget(
      name: "CSystemdTests",
      dependencies: ["CSystemd", "ListenReport", "TestSupport", "UnixSocket"]
    ),
    .testTarget(
      name: "SessionBusTests",
      dependencies: ["ApplicationService", "QueueExecution", "SessionBus", "TestSupport"]
    ),
    .testTarget(
      name: "SceneLintTests",
      dependencies: ["DesktopEntries", "Installed", "SceneLint", "SceneRouting"]
    ),
    .testTarget(name: "InterfaceGeneratorTests", dependencies: ["InterfaceGenerator"]),
    .testTarget(name: "RouterInterfaceTests", dependencies: ["RouterInterface", "Varlink"]),
    .testTarget(
      name: "VarlinkClientTests",
      dependencies: [
        "CalculatorInterface", "ScriptedService", "TestSupport", "UnixSocket", "Varlink", "VarlinkClient",
        "VarlinkServer",
      ]
    ),
    .testTarget(
      name: "SceneServerTests",
      dependencies: [
        "AllocatingProgram", "ApplicationService", "QueueExecution", "ReferenceRouter", "RouterInterface",
        "SceneRouting",
        "SceneServer", "Stranger",
        "ContactList", "MyPhotos", "TestSupport", "UnixSocket", "Varlink", "VarlinkServer", "scened", log,
        system,
      ]
    ),
    .testTarget(
      name: "SceneClientTests",
      dependencies: ["RouterInterface", "SceneClient", "ScriptedService", "Varlink"]
    ),
    .testTarget(
      name: "ExternalEventsTests",
      dependencies: [
        "ExternalEvents", "QueueExecution", "SceneRouting", "SceneServer", "ScriptedService", "TestSupport",
        "UnixSocket", "scened", log,
      ]
    ),
    .testTarget(
      name: "InstalledTests",
      dependencies: ["DesktopEntries", "Installed", "SceneRouting", "TestSupport"]
    ),
    .testTarget(
      name: "LaunchingTests",
      dependencies: [
        "ApplicationService", "DesktopEntries", "LaunchProgram", "Launching", "QueueExecution",
        "ReportingProgram", "SceneRouting", "SessionBus", "TestSupport",
      ]
    ),
    .testTarget(
      name: "ScenectlTests",
      dependencies: ["ContactList", "MyPhotos", "NotificationServer", "TestSupport", "scenectl", "scened"],
      exclude: ["Help"]
    ),
    .testTarget(
      name: "SystemTests",
      dependencies: [
        "ApplicationService", "CalculatorClient", "CalculatorService", "ContactList", "LaunchProgram",
        "MyPhotos",
        "ReportingProgram", "RouterInterface", "SceneClient", "TestSupport", "UnixSocket", "Varlink",
        "VarlinkClient", "VarlinkServer", "scenectl", "scened",
      ],
      exclude: ["Python", "Certification/org.varlink.certification.varlink"]
        + (isForDesktop ? [] : ["Packages", "SSH"])
    ),

    // Benchmarks, which are no tests.
    .executableTarget(
      name: "scenebench-load",
      path: "Tests/Benchmarks/scenebench-load",
      linkerSettings: [.linkedLibrary("systemd")]
    ),
    .executableTarget(
      name: "scenebench-application",
      dependencies: ["ExternalEvents"],
      path: "Tests/Benchmarks/scenebench-application"
    ),
    .executableTarget(
      name: "scenebench",
      dependencies: ["SceneRouting", "TestSupport", "scened", "scenebench-application", "scenebench-load"],
      path: "Tests/Benchmarks/scenebench",
      exclude: ["README.md"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// Fuzzers have no `main` but that of `--sanitize fuzzer`, and see what is internal to a module.
if Context.environment["SCENED_FUZZERS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "FuzzIdentifiers",
      dependencies: ["SceneRouting"],
      path: "Tests/Fuzzers/FuzzIdentifiers"
    )
  )
}

if isForDesktop {
  package.targets.append(
    .testTarget(
      name: "DesktopTests",
      dependencies: ["DesktopEntries", "Installed", "SceneRouting", "TestSupport", "scenectl", "scened"],
      exclude: ["Python"]
    )
  )
}

// As release builds the others would take minutes for nothing.
if Context.environment["SCENED_LONG_CHECKS"] != nil {
  let haveLongChecks = ["SceneRoutingTests", "SceneServerTests", "SystemTests"]
  package.targets.removeAll { target in
    target.type == .test && !haveLongChecks.contains(target.name) || target.name.hasPrefix("scenebench")
  }
}

for target in package.targets where target.type != .system {
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
