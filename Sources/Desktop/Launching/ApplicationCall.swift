import DesktopEntries
import SessionBus

/// Source: Desktop Entry Specification 1.5, "D-Bus Activation".
struct ApplicationCall {
  let name: String
  let call: BusCall

  /// Nil if the desktop id cannot be a name on the bus.
  init?(_ request: LaunchRequest, token: String?) {
    guard let name = request.entry.busName else { return nil }
    self.name = name
    let path = "/" + String(name.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
    let platform: BusValue =
      token.map { .dictionary(["activation-token": .string($0), "desktop-startup-id": .string($0)]) }
      ?? .dictionary([:])
    let (member, arguments): (String, [BusValue]) =
      if request.declarationID != "main" {
        (
          "ActivateAction",
          [
            .string(request.declarationID), .array(of: "v", request.urls.map { .variant(.string($0)) }),
            platform,
          ]
        )
      } else if request.urls.isEmpty {
        ("Activate", [platform])
      } else {
        ("Open", [.strings(request.urls), platform])
      }
    call = BusCall(member, of: "org.freedesktop.Application", at: path, in: name, arguments)
  }
}
