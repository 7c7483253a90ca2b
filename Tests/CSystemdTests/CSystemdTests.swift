import CSystemd
import Glibc
import TestSupport
import Testing

/// Each in a process of its own, as libsystemd reads the environment.
@Suite struct CSystemdTests {
  @Test func messagesArriveInOrder() async {
    await #expect(processExitsWith: .success) {
      let systemd = try NotifySocket()
      setenv("NOTIFY_SOCKET", systemd.path, 1)
      #expect(scened_notify_ready("0 scenes") > 0)
      #expect(scened_notify_status("2 scenes, 100 % of …") > 0)
      #expect(scened_notify_watchdog() > 0)
      #expect(scened_notify_stopping("saying goodbye") > 0)
      #expect(try systemd.nextMessage() == ["READY=1", "STATUS=0 scenes"])
      #expect(try systemd.nextMessage() == ["STATUS=2 scenes, 100 % of …"])
      #expect(try systemd.nextMessage() == ["WATCHDOG=1"])
      #expect(try systemd.nextMessage() == ["STOPPING=1", "STATUS=saying goodbye"])
    }
  }

  @Test func withoutSystemdEverythingAnswersZero() async {
    await #expect(processExitsWith: .success) {
      for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID"] { unsetenv(name) }
      #expect(scened_notify_ready("") == 0)
      #expect(scened_notify_status("") == 0)
      #expect(scened_notify_stopping("") == 0)
      #expect(scened_notify_watchdog() == 0)
      #expect(scened_watchdog_interval() == 0)
      #expect(listenDescriptors() == Passed(count: 0, names: ""))
    }
  }

  @Test func failureToSendIsTheErrorOfTheSystem() async {
    await #expect(processExitsWith: .success) {
      setenv("NOTIFY_SOCKET", "/nowhere/notify", 1)
      #expect(scened_notify_ready("") == -ENOENT)
      setenv("NOTIFY_SOCKET", "no address", 1)
      #expect(scened_notify_ready("") < 0)
    }
  }

  @Test func watchdogIntervalIsThatOfThisProcess() async {
    await #expect(processExitsWith: .success) {
      setenv("WATCHDOG_USEC", "2500000", 1)
      #expect(scened_watchdog_interval() == 2_500_000)
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      #expect(scened_watchdog_interval() == 2_500_000)
      setenv("WATCHDOG_PID", "1", 1)
      #expect(scened_watchdog_interval() == 0)
      setenv("WATCHDOG_PID", "me", 1)
      #expect(scened_watchdog_interval() == Int64(-EINVAL))
    }
  }

  @Test func descriptorsComeWithTheirNames() async {
    await #expect(processExitsWith: .success) {
      passDescriptors(names: "router:metrics")
      #expect(listenDescriptors() == Passed(count: 2, names: "router:metrics"))
      for descriptor: CInt in [3, 4] { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
      for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { #expect(getenv(name) == nil) }
      #expect(listenDescriptors() == Passed(count: 0, names: ""))
    }
  }

  @Test func descriptorsWithoutNamesAreUnknown() async {
    await #expect(processExitsWith: .success) {
      passDescriptors(names: nil)
      #expect(listenDescriptors() == Passed(count: 2, names: "unknown:unknown"))
    }
  }

  @Test func descriptorsOfAnotherProcessAreNotOurs() async {
    await #expect(processExitsWith: .success) {
      passDescriptors(names: nil)
      setenv("LISTEN_PID", "1", 1)
      #expect(listenDescriptors() == Passed(count: 0, names: ""))
    }
  }

  @Test func namesThatDoNotFitChangeNothing() async {
    await #expect(processExitsWith: .success) {
      passDescriptors(names: "ab:cd")
      #expect(listenDescriptors(room: 5) == Passed(count: -ENOBUFS, names: ""))
      // Five characters and the NUL.
      #expect(listenDescriptors(room: 6) == Passed(count: 2, names: "ab:cd"))
    }
  }

  @Test func malformedEnvironmentIsAnError() async {
    await #expect(processExitsWith: .success) {
      setenv("LISTEN_PID", "\(getpid())", 1)
      setenv("LISTEN_FDS", "many", 1)
      #expect(listenDescriptors() == Passed(count: -EINVAL, names: ""))
    }
  }
}

private struct Passed: Equatable {
  let count: CInt
  let names: String
}

private func listenDescriptors(room: Int = 512) -> Passed {
  var names = [CChar](repeating: 1, count: room)
  let count = scened_listen_descriptors(&names, names.count)
  return Passed(count: count, names: String(decoding: names.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self))
}

/// Sees that there are descriptors where systemd puts two, and tells of them in the environment.
///
/// Those that are open already, perhaps for the use of the testing library, do as well.
private func passDescriptors(names: String?) {
  for descriptor: CInt in [3, 4] where fcntl(descriptor, F_SETFD, 0) == -1 { dup2(0, descriptor) }
  setenv("LISTEN_PID", "\(getpid())", 1)
  setenv("LISTEN_FDS", "2", 1)
  if let names { setenv("LISTEN_FDNAMES", names, 1) } else { unsetenv("LISTEN_FDNAMES") }
}
