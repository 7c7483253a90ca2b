import CSystemd
import Glibc
import TestSupport
import Testing

/// Each test runs in its own process, because libsystemd reads the environment.
@Suite struct NotificationTests {
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
      for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
      #expect(scened_notify_ready("") == 0)
      #expect(scened_notify_status("") == 0)
      #expect(scened_notify_stopping("") == 0)
      #expect(scened_notify_watchdog() == 0)
      #expect(scened_watchdog_interval() == 0)
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
}
