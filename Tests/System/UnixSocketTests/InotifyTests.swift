import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing
import UnixSocket

@Suite final class InotifyTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Takes all changes that the kernel has reported, and returns the names that belong to a watch.
  private func names(_ inotify: borrowing Inotify, _ watch: Inotify.Watch) -> [String?] {
    inotify.takeChanges().filter { $0.watch == watch }.map(\.name)
  }

  @Test func changesInADirectoryAreReportedByName() throws {
    let inotify = try Inotify()
    let watch = try inotify.watch(directory.path).get()
    #expect(inotify.takeChanges() == [])
    let (path, other) = (directory.appending("a"), directory.appending("b"))
    try Data().write(to: URL(filePath: path))
    #expect(Set(names(inotify, watch)) == ["a"])
    #expect(chmod(path, 0o600) == 0)
    #expect(names(inotify, watch) == ["a"])
    #expect(rename(path, other) == 0)
    #expect(names(inotify, watch) == ["a", "b"])
    #expect(unlink(other) == 0)
    #expect(names(inotify, watch) == ["b"])
    // Reading is not a change.
    _ = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(inotify.takeChanges() == [])
  }

  @Test func directoryThatIsRemovedIsReportedItself() throws {
    let inotify = try Inotify()
    let path = directory.appending("a")
    #expect(mkdir(path, 0o700) == 0)
    let watch = try inotify.watch(path).get()
    #expect(rmdir(path) == 0)
    #expect(Set(names(inotify, watch)) == [nil])
    inotify.remove(watch)
  }

  @Test func directoryIsWatchedOnceAndNoLongerThanAsked() throws {
    let inotify = try Inotify()
    let watch = try inotify.watch(directory.path).get()
    #expect(try inotify.watch(directory.path + "/.").get() == watch)
    inotify.remove(watch)
    _ = inotify.takeChanges()
    #expect(mkdir(directory.appending("a"), 0o700) == 0)
    #expect(inotify.takeChanges() == [])
  }

  /// The kernel queues only a limited number of changes for a program that does not read them.
  @Test func lossOfChangesIsReported() throws {
    let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = try #require(Int(limit.trimmingCharacters(in: .newlines)))
    let inotify = try Inotify()
    _ = try inotify.watch(directory.path).get()
    let paths = ["a", "b"].map { directory.appending($0) }
    for path in paths { try Data().write(to: URL(filePath: path)) }
    // The kernel merges equal changes in a row, so the paths alternate.
    for _ in 0..<count { for path in paths { chmod(path, 0o600) } }
    var last: Inotify.Change?
    while case let changes = inotify.takeChanges(), !changes.isEmpty { last = changes.last }
    #expect(last?.watch == nil && last?.name == nil && last != nil)
  }

  @Test func whatIsNoDirectoryCannotBeWatched() throws {
    let inotify = try Inotify()
    let path = directory.appending("a")
    #expect(inotify.watch(path) == .failure(.noSuchFileOrDirectory))
    try Data().write(to: URL(filePath: path))
    #expect(inotify.watch(path) == .failure(.notDirectory))
  }
}
