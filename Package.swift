// swift-tools-version: 6.3
import PackageDescription

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")

// Adds the tests of desktops, packages and completion, of ssh and of the window focus. They need a display, release
// builds or downloads. `.ci/run` runs these tests. A plain `swift test` leaves them out.
let isForDesktop = Context.environment["SCENED_DESKTOP"] != nil

let sanitizer = Context.environment["SCENED_SANITIZER"]
// Builds only the checks that take minutes in a debug build: random scenarios, and large registries and indexes.
let isLong = sanitizer == nil && Context.environment["SCENED_LONG_CHECKS"] != nil

let package = Package(
  name: "scened",
  products: [
    .library(name: "SceneClient", targets: ["SceneClient"]),
    .library(name: "ExternalEvents", targets: ["ExternalEvents"]),
    .library(name: "Varlink", targets: ["Varlink"]),
    .library(name: "VarlinkServer", targets: ["VarlinkServer"]),
    .library(name: "VarlinkClient", targets: ["VarlinkClient"]),
    .executable(name: "InterfaceGenerator", targets: ["InterfaceGenerator"]),
    .plugin(name: "GenerateInterfaces", targets: ["GenerateInterfaces"]),
    .executable(name: "scened", targets: ["scened"]),
    .executable(name: "scenectl", targets: ["scenectl"]),
    // Tests load this library into the daemon to count the daemon's memory allocations. The library is dynamic, because
    // it would count the test's own allocations if it were linked into the test.
    .library(name: "AllocationCount", type: .dynamic, targets: ["AllocationCount"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // The router: the types that all its parts and its clients share, the routing rules, its Varlink interfaces, and its
    // service.
    .target(name: "SceneTypes", path: "Sources/Router/SceneTypes"),
    .target(name: "SceneRouting", dependencies: ["SceneTypes"], path: "Sources/Router/SceneRouting"),
    .target(
      name: "RouterInterface",
      dependencies: ["SceneTypes", "Varlink"],
      path: "Sources/Router/RouterInterface",
      resources: [.embedInCode("io.scened.Router.varlink"), .embedInCode("io.scened.Manager.varlink")]
    ),
    .target(
      name: "SceneServer",
      dependencies: [
        "QueueExecution", "RouterInterface", "SceneRouting", "UnixSocket", "Varlink", "VarlinkServer", log,
        system,
      ],
      path: "Sources/Router/SceneServer"
    ),

    // Varlink: messages, the two ends of a connection, and the generator of an interface's types.
    .target(
      name: "Varlink",
      path: "Sources/Varlink/Varlink",
      resources: [.embedInCode("Service/org.varlink.service.varlink")]
    ),
    .target(
      name: "VarlinkServer",
      dependencies: ["QueueExecution", "UnixSocket", "Varlink"],
      path: "Sources/Varlink/VarlinkServer"
    ),
    .target(
      name: "VarlinkClient",
      dependencies: ["CProcess", "UnixSocket", "Varlink"],
      path: "Sources/Varlink/VarlinkClient"
    ),
    .target(
      name: "InterfaceGeneration",
      dependencies: ["Varlink"],
      path: "Sources/Varlink/InterfaceGeneration"
    ),
    .executableTarget(
      name: "InterfaceGenerator",
      dependencies: ["InterfaceGeneration", "Varlink"],
      path: "Sources/Varlink/InterfaceGenerator"
    ),
    .plugin(
      name: "GenerateInterfaces",
      capability: .buildTool(),
      dependencies: ["InterfaceGenerator"],
      path: "Sources/Varlink/GenerateInterfaces"
    ),

    // The desktop: desktop entries and the other files of the desktop, the start of programs, and the message bus.
    .target(name: "DesktopEntries", dependencies: ["SceneTypes"], path: "Sources/Desktop/DesktopEntries"),
    .target(
      name: "Installed",
      dependencies: ["DesktopEntries", "SceneRouting", system],
      path: "Sources/Desktop/Installed"
    ),
    .target(
      name: "Launching",
      dependencies: [
        "CProcess", "CSystemd", "DesktopEntries", "Installed", "QueueExecution", "SceneRouting", "SessionBus",
        system,
      ],
      path: "Sources/Desktop/Launching"
    ),
    .target(
      name: "SessionBus",
      dependencies: ["CSessionBus", "QueueExecution"],
      path: "Sources/Desktop/SessionBus"
    ),
    .target(name: "CSessionBus", path: "Sources/Desktop/CSessionBus"),
    .target(
      name: "SceneLint",
      dependencies: ["DesktopEntries", "SceneRouting"],
      path: "Sources/Desktop/SceneLint"
    ),

    // The Swift libraries for authors of programs. The Python library is in Sources/Clients/Python.
    .target(
      name: "SceneClient",
      dependencies: [
        "DesktopEntries", "RouterInterface", "SceneTypes", "UnixSocket", "Varlink", "VarlinkClient", system,
      ],
      path: "Sources/Clients/SceneClient"
    ),
    .target(
      name: "ExternalEvents",
      dependencies: ["SceneClient", "SceneTypes", "VarlinkClient"],
      path: "Sources/Clients/ExternalEvents"
    ),

    // Interfaces to the kernel, the C library and systemd.
    .target(name: "UnixSocket", dependencies: ["CLinux", system], path: "Sources/System/UnixSocket"),
    .target(name: "CLinux", path: "Sources/System/CLinux"),
    .target(name: "CX11", path: "Sources/System/CX11"),
    .target(name: "CThreadPriority", path: "Sources/System/CThreadPriority"),
    .target(name: "CProcess", path: "Sources/System/CProcess"),
    .target(name: "CSystemd", path: "Sources/System/CSystemd", linkerSettings: [.linkedLibrary("systemd")]),
    .target(name: "QueueExecution", path: "Sources/System/QueueExecution"),

    // The programs.
    .executableTarget(
      name: "scened",
      dependencies: [
        "CThreadPriority", "CProcess", "CSystemd", "DesktopEntries", "Installed", "Launching",
        "QueueExecution", "RouterInterface", "SceneRouting", "SceneServer", "SessionBus", "UnixSocket", log,
        system,
      ],
      path: "Sources/Programs/scened"
    ),
    .executableTarget(
      name: "scenectl",
      dependencies: [
        "CThreadPriority", "CProcess", "CX11", "DesktopEntries", "Installed", "QueueExecution",
        "RouterInterface", "SceneClient", "SceneLint", "SceneRouting", "SessionBus", "UnixSocket", "Varlink",
        "VarlinkClient",
        argumentParser, subprocess, system,
      ],
      path: "Sources/Programs/scenectl"
    ),

    // Examples: two applications and the terminal they draw on, and a service and a client of Varlink.
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
    .target(
      name: "CalculatorInterface",
      dependencies: ["Varlink"],
      path: "Sources/Examples/Calculator/CalculatorInterface",
      plugins: ["GenerateInterfaces"]
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

    // Tests, in the same groups as the targets above.
    .testTarget(
      name: "SceneRoutingTests",
      dependencies: ["RandomNumbers", "ReferenceRouter", "SceneRouting"],
      path: "Tests/Router/SceneRoutingTests",
      exclude: isLong ? [] : ["Long"],
      sources: isLong ? ["Long", "Support"] : nil
    ),
    .testTarget(
      name: "RouterInterfaceTests",
      dependencies: ["RouterInterface", "Varlink"],
      path: "Tests/Router/RouterInterfaceTests"
    ),
    .testTarget(
      name: "SceneServerTests",
      dependencies: [
        "AllocateMemory", "ServeApplicationOnBus", "QueueExecution", "ReferenceRouter", "RouterInterface",
        "SceneRouting", "SceneServer", "SendAsUser", "ContactList", "MyPhotos", "TestSupport", "UnixSocket",
        "Varlink", "VarlinkServer", "scened", log, system,
      ],
      path: "Tests/Router/SceneServerTests"
    ),

    .testTarget(
      name: "VarlinkTests",
      dependencies: ["InterfaceText", "RandomNumbers", "Varlink"],
      path: "Tests/Varlink/VarlinkTests"
    ),
    .testTarget(
      name: "VarlinkClientTests",
      dependencies: [
        "CalculatorInterface", "ScriptedService", "TestSupport", "UnixSocket", "Varlink", "VarlinkClient",
        "VarlinkServer",
      ],
      path: "Tests/Varlink/VarlinkClientTests"
    ),
    .testTarget(
      name: "InterfaceGenerationTests",
      dependencies: ["InterfaceGeneration"],
      path: "Tests/Varlink/InterfaceGenerationTests"
    ),

    .testTarget(
      name: "DesktopEntriesTests",
      dependencies: ["DesktopEntries"],
      path: "Tests/Desktop/DesktopEntriesTests"
    ),
    .testTarget(
      name: "InstalledTests",
      dependencies: ["DesktopEntries", "Installed", "SceneRouting", "TestSupport"],
      path: "Tests/Desktop/InstalledTests"
    ),
    .testTarget(
      name: "LaunchingTests",
      dependencies: [
        "ServeApplicationOnBus", "DesktopEntries", "LaunchDesktopEntry", "Launching", "QueueExecution",
        "ReportHowStarted", "SceneRouting", "SessionBus", "TestSupport",
      ],
      path: "Tests/Desktop/LaunchingTests"
    ),
    .testTarget(
      name: "SessionBusTests",
      dependencies: ["ServeApplicationOnBus", "QueueExecution", "SessionBus", "TestSupport"],
      path: "Tests/Desktop/SessionBusTests"
    ),
    .testTarget(
      name: "SceneLintTests",
      dependencies: ["DesktopEntries", "Installed", "SceneLint", "SceneRouting"],
      path: "Tests/Desktop/SceneLintTests"
    ),

    .testTarget(
      name: "SceneClientTests",
      dependencies: [
        "CuttingProxy", "ForkWithScene", "RouterInterface", "SceneClient", "ScriptedService", "TestSupport",
        "Varlink", "scenectl", "scened",
      ],
      path: "Tests/Clients/SceneClientTests"
    ),
    .testTarget(
      name: "ExternalEventsTests",
      dependencies: [
        "ExternalEvents", "QueueExecution", "SceneClient", "SceneRouting", "SceneServer", "ScriptedService",
        "TestSupport", "UnixSocket", "scened", log,
      ],
      path: "Tests/Clients/ExternalEventsTests"
    ),

    .testTarget(
      name: "UnixSocketTests",
      dependencies: ["CLinux", "TestSupport", "UnixSocket", system],
      path: "Tests/System/UnixSocketTests"
    ),
    .testTarget(
      name: "CSystemdTests",
      dependencies: ["CSystemd", "PrintListenDescriptors", "TestSupport", "UnixSocket"],
      path: "Tests/System/CSystemdTests"
    ),

    .testTarget(
      name: "ScenectlTests",
      dependencies: [
        "ContactList", "MyPhotos", "PrintNotifications", "RouterInterface", "SceneRouting", "ScriptedService",
        "TestSupport", "Varlink", "scenectl", "scened",
      ],
      path: "Tests/Programs/ScenectlTests",
      exclude: ["Help"]
    ),

    // Tests of all programs together, as they are installed.
    .testTarget(
      name: "SystemTests",
      dependencies: [
        "ServeApplicationOnBus", "CalculatorClient", "CalculatorService", "ContactList", "LaunchDesktopEntry",
        "MyPhotos", "RandomNumbers", "ReportHowStarted", "RouterInterface", "SceneClient", "TestSupport",
        "UnixSocket", "Varlink", "VarlinkClient", "VarlinkServer", "scenectl", "scened",
      ],
      path: "Tests/EndToEnd/SystemTests",
      exclude: ["Python"] + (isForDesktop ? [] : ["Focus", "Packages", "SSH"]),
      plugins: ["GenerateInterfaces"]
    ),

    // A second router, written only from the routing contract. Tests compare its decisions with the real router's.
    .target(
      name: "ReferenceRouter",
      dependencies: ["RandomNumbers"],
      path: "Tests/Reference/ReferenceRouter",
      exclude: ["Generate.py", "Vectors"]
    ),
    .testTarget(
      name: "ReferenceRouterTests",
      dependencies: ["ReferenceRouter"],
      path: "Tests/Reference/ReferenceRouterTests" + (isLong ? "/Long" : ""),
      exclude: isLong ? [] : ["Long"]
    ),

    // Libraries that several tests need.
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", "UnixSocket", system],
      path: "Tests/Support/TestSupport"
    ),
    .testTarget(
      name: "TestSupportTests",
      dependencies: ["TestSupport", "UnixSocket"],
      path: "Tests/Support/TestSupportTests"
    ),
    .target(
      name: "ScriptedService",
      dependencies: ["TestSupport", "UnixSocket", "Varlink"],
      path: "Tests/Support/ScriptedService"
    ),
    .target(
      name: "CuttingProxy",
      dependencies: ["TestSupport", "UnixSocket"],
      path: "Tests/Support/CuttingProxy"
    ),
    .target(name: "InterfaceText", dependencies: ["Varlink"], path: "Tests/Support/InterfaceText"),
    .target(name: "RandomNumbers", path: "Tests/Support/RandomNumbers"),
    .target(name: "AllocationCount", path: "Tests/Support/AllocationCount"),

    // Programs that tests start and talk to.
    .executableTarget(name: "AllocateMemory", path: "Tests/Peers/AllocateMemory"),
    .executableTarget(
      name: "ServeApplicationOnBus",
      path: "Tests/Peers/ServeApplicationOnBus",
      linkerSettings: [.linkedLibrary("systemd")]
    ),
    .executableTarget(
      name: "ForkWithScene",
      dependencies: ["SceneClient"],
      path: "Tests/Peers/ForkWithScene"
    ),
    .executableTarget(
      name: "LaunchDesktopEntry",
      dependencies: ["DesktopEntries", "Launching", "QueueExecution", "SessionBus"],
      path: "Tests/Peers/LaunchDesktopEntry"
    ),
    .executableTarget(
      name: "PrintListenDescriptors",
      dependencies: ["CSystemd"],
      path: "Tests/Peers/PrintListenDescriptors"
    ),
    .executableTarget(
      name: "PrintNotifications",
      path: "Tests/Peers/PrintNotifications",
      linkerSettings: [.linkedLibrary("systemd")]
    ),
    .executableTarget(name: "ReportHowStarted", path: "Tests/Peers/ReportHowStarted"),
    .executableTarget(name: "SendAsUser", dependencies: ["UnixSocket"], path: "Tests/Peers/SendAsUser"),

    // Benchmarks. They are programs, so that `swift test` does not run them.
    .executableTarget(
      name: "scenebench-load",
      path: "Tests/Benchmarks/scenebench-load",
      linkerSettings: [.linkedLibrary("systemd")]
    ),
    .executableTarget(
      name: "scenebench-application",
      dependencies: ["ExternalEvents", "SceneClient"],
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

// Only the build of the documentation needs this plugin.
if Context.environment["SCENED_DOCUMENTATION"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")
  )
}

// Fuzzers are built only if `SCENED_FUZZERS` is set, because they have no `main` without `--sanitize fuzzer`.
if Context.environment["SCENED_FUZZERS"] != nil {
  // The build of some tests and of the calculator runs `InterfaceGenerator`. `--sanitize fuzzer` would build a fuzzer
  // from `InterfaceGenerator` too. The tests and the calculator are therefore left out.
  package.targets.removeAll { $0.type == .test || $0.name.hasPrefix("Calculator") }
  let fuzzers: [(String, [Target.Dependency])] = [
    ("FuzzIdentifiers", ["SceneRouting"]),
    ("FuzzMessages", ["Varlink"]),
    ("FuzzInterfaces", ["InterfaceText", "Varlink"]),
    ("FuzzConnection", ["RouterInterface", "SceneServer", "UnixSocket", "Varlink", log]),
    ("FuzzDesktopFiles", ["DesktopEntries"]),
    ("FuzzURLs", ["DesktopEntries", "ReferenceRouter", "SceneRouting"]),
  ]
  for (name, dependencies) in fuzzers {
    package.targets.append(
      .executableTarget(name: name, dependencies: dependencies, path: "Tests/Fuzzers/\(name)")
    )
  }
}

if isForDesktop {
  package.targets.append(
    .testTarget(
      name: "DesktopTests",
      dependencies: ["DesktopEntries", "Installed", "SceneRouting", "TestSupport", "scenectl", "scened"],
      path: "Tests/EndToEnd/DesktopTests",
      exclude: ["Python", "VSCode"]
    )
  )
}

// Kinds of builds that have only the listed tests and their dependencies. A build of everything would take minutes.
let partialBuilds = [
  "long": ["SceneRoutingTests", "ReferenceRouterTests"],
  "thread": [
    "SceneServerTests", "VarlinkClientTests", "SceneClientTests", "ExternalEventsTests", "UnixSocketTests",
    "CSystemdTests", "SessionBusTests", "LaunchingTests",
  ],
  "address": [
    "VarlinkTests", "VarlinkClientTests", "InterfaceGenerationTests", "RouterInterfaceTests",
    "SceneRoutingTests", "DesktopEntriesTests", "InstalledTests", "SceneLintTests", "UnixSocketTests",
  ],
]
if let tests = partialBuilds[isLong ? "long" : sanitizer ?? ""] {
  var unvisited = tests
  var used: Set<String> = []
  while let name = unvisited.popLast() {
    guard used.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
      continue
    }
    for case .byNameItem(let dependency, _) in target.dependencies { unvisited.append(dependency) }
    for case .plugin(let plugin, _) in target.plugins ?? [] { unvisited.append(plugin) }
  }
  package.targets.removeAll { !used.contains($0.name) }
  package.products.removeAll { !used.contains($0.name) }
}
if sanitizer == "thread" {
  for target in package.targets where target.type == .test || target.type == .executable {
    target.dependencies.append("ObservedMutex")
  }
  package.targets.append(.target(name: "ObservedMutex", path: "Tests/Sanitizers/ObservedMutex"))
}

for target in package.targets where target.type != .system && target.type != .plugin {
  var settings: [SwiftSetting] = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // Views into a message's bytes are not Escapable. A function that returns such a view needs the annotation
    // `@_lifetime`, which is still experimental.
    .enableExperimentalFeature("Lifetimes"),
    .treatAllWarnings(as: .error),
  ]
  // Test macros expand into code that strict memory safety rejects.
  let isForTests = target.type == .test || target.path?.hasPrefix("Tests") == true
  if !isForTests { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
