import Glibc
import SystemPackage

/// GIO, the library of GLib that tells the types of files by the shared MIME database: by their names, and by their
/// contents where the name does not decide.
///
/// The library is loaded at the first question about a file. That takes 2 ms, as long as reading the names of the
/// database alone would. A machine without GIO has no answers. Nothing is freed, because the tool asks about a few files
/// and ends.
enum GIO {
  private typealias Object = UnsafeMutableRawPointer
  private typealias Text = UnsafePointer<CChar>

  /// Returns the type that `gio info -a standard::content-type` prints; nil without GIO or without an answer.
  ///
  /// The file is asked of GIO's own file system, so that GIO loads no other modules and starts no programs.
  static func contentType(ofFileAt path: FilePath) -> String? {
    guard let localFiles: @convention(c) () -> Object? = unsafe function("g_vfs_get_local"),
      let file: @convention(c) (Object?, Text) -> Object? = unsafe function("g_vfs_get_file_for_path"),
      let information: @convention(c) (Object?, Text, CUnsignedInt, Object?, Object?) -> Object? =
        unsafe function("g_file_query_info"),
      let type: @convention(c) (Object?) -> Text? = unsafe function("g_file_info_get_content_type")
    else { return nil }
    let found = unsafe path.withPlatformString { unsafe file(localFiles(), $0) }
    guard let answer = unsafe information(found, "standard::content-type", 0, nil, nil) else { return nil }
    return unsafe type(answer).map { unsafe String(cString: $0) }
  }

  /// Returns the type that the name of a new file tells, else that of text; nil without GIO.
  static func contentType(ofNewFileAt path: FilePath) -> String? {
    guard
      let guess: @convention(c) (Text, Text?, UInt, Object?) -> Text? = unsafe function(
        "g_content_type_guess"
      ),
      let type = unsafe path.withPlatformString({ unsafe guess($0, nil, 0, nil) })
    else { return nil }
    let name = unsafe String(cString: type)
    return name == "application/octet-stream" ? "text/plain" : name
  }

  private static func function<Function>(_ name: String) -> Function? {
    guard let library = unsafe dlopen("libgio-2.0.so.0", RTLD_LAZY) else { return nil }
    return unsafe dlsym(library, name).map { unsafe unsafeBitCast($0, to: Function.self) }
  }
}
