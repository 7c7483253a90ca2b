import TestSupport

/// Starts Python programs that can import the modules `scened` and `varlink`.
enum PythonProgram {
  /// Starts Python with `arguments`; Python's output is unbuffered.
  static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> SpawnedProgram {
    var environment = environment
    environment["PYTHONPATH"] = try
      "\(TestEnvironment.run("python-varlink")):\(PackageDirectory.appending("Sources/Clients/Python"))"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    return try SpawnedProgram("/usr/bin/env", ["python3"] + arguments, environment: environment)
  }

  static func script(_ name: String) -> String {
    PackageDirectory.appending("Tests/EndToEnd/SystemTests/Python/\(name)")
  }
}
