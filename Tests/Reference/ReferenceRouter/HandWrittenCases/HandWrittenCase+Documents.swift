extension HandWrittenCase {
  private static func opener(_ supportedTypes: [String]) -> [Application] {
    [Application("alpha", [.document("doc", supportedTypes)])]
  }

  private static let taken = ["document new alpha/doc acknowledged"]

  /// How document groups are chosen.
  static let documents = [
    HandWrittenCase(
      "documentGroupBeforeWindowGroup",
      applications: [Application("alpha", [.document("doc", ["alb"]), .window("detail", ["1.alb"])])],
      event: .url("file:///srv/1.alb"),
      attempts: ["document new alpha/doc acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "windowGroupBeforeDocumentGroup",
      applications: [Application("alpha", [.window("detail", ["1.alb"]), .document("doc", ["alb"])])],
      event: .url("file:///srv/1.alb"),
      attempts: ["matching new alpha/detail acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "documentGroupIgnoresItsMatching",
      applications: [
        Application("alpha", [.document("doc", ["lute"], matching: ["*", "1.alb"]), .window("main")])
      ],
      event: .url("file:///srv/1.alb"),
      attempts: ["default new alpha/main acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "documentGroupIsNeverADefault",
      applications: [Application("alpha", [.document("doc", [])])],
      event: .url("file:///srv/1.alb"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "documentGroupNeverLooksAtTheTarget",
      applications: opener(["alb"]),
      event: .activity("file:///srv/1.alb"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "documentGroupLooksAtTheWebpageURLBesideTheTarget",
      applications: opener(["alb"]),
      event: .activity("zither", webpageURL: "https://gallery.example/1.alb"),
      attempts: taken,
      end: .acknowledged,
      field: .webpageURL
    ),
    HandWrittenCase(
      "openSceneComesBeforeTheDocumentGroup",
      applications: opener(["alb"]),
      scenes: [Scene("s1", of: "alpha", "doc", allowing: ["srv"])],
      event: .url("file:///srv/1.alb"),
      attempts: ["allowing s1 acknowledged"],
      end: .acknowledged
    ),
    HandWrittenCase(
      "contentTypeIsForMIMETypes",
      applications: opener(["lute", "image/x-album"]),
      event: .url("https://gallery.example/1", contentType: "image/x-album"),
      attempts: taken,
      end: .acknowledged,
      patterns: ["image/x-album"]
    ),
    HandWrittenCase(
      "supportedMIMETypesIgnoreCaseAndParameters",
      applications: opener(["IMAGE/x-album"]),
      event: .url("gallery:1", contentType: "image/X-ALBUM;pages=2"),
      attempts: taken,
      end: .acknowledged
    ),
    HandWrittenCase(
      "supportedFamilyOfMIMETypes",
      applications: opener(["image/*"]),
      event: .activity(webpageURL: "https://gallery.example/1", contentType: "image/x-album"),
      attempts: taken,
      end: .acknowledged
    ),
    HandWrittenCase(
      "supportedFamilyIsNotAPrefix",
      applications: opener(["imag/*", "image/x", "image/x-album/*"]),
      event: .url("gallery:1", contentType: "image/x-album"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "contentTypeIsNotForExtensions",
      applications: opener(["x-album", "album", "image"]),
      event: .url("gallery:1", contentType: "image/x-album"),
      attempts: [],
      end: .notRouted
    ),
    HandWrittenCase(
      "extensionCountsBesideAContentType",
      applications: opener(["alb"]),
      event: .url("gallery:1.alb", contentType: "image/x-other"),
      attempts: taken,
      end: .acknowledged
    ),
    HandWrittenCase(
      "contentTypeNeedsAURL",
      applications: opener(["image/x-album"]),
      event: .activity("album", contentType: "image/x-album"),
      attempts: [],
      end: .notRouted
    ),
  ]

  /// URLs, and whether a document group for the extension `alb` opens them.
  static let fileTypes = [
    ("file:///srv/1.ALB", true),
    ("file:///srv/1.old.alb?x=1.lute#y.lute", true),
    ("file:///srv/%C3%A9%20t%C3%A9.alb", true),
    ("file:///srv/1%2Ealb", true),
    ("file:///srv/1.%61lb", true),
    ("file:///srv/1%zz%.alb", true),
    ("file:///srv/.1.alb", true),
    ("gallery:1.alb", true),
    ("file:///srv/.alb", false),
    ("file:///srv/%2Ealb", false),
    ("file:///srv/alb", false),
    ("file:///srv/1.", false),
    ("file:///srv/1.alb.gz", false),
    ("file:///srv/1.albx", false),
    ("file:///srv/1.al", false),
    ("file:///srv.alb/1", false),
    ("https://gallery.example/1?name=1.alb", false),
    ("https://gallery.example/1#1.alb", false),
    ("https://gallery.alb", false),
  ].map { url, isAlbum in
    HandWrittenCase(
      "fileType \(url)",
      applications: opener([".alb", "*", "*.alb", "", "alb"]),
      event: .url(url),
      attempts: isAlbum ? taken : [],
      end: isAlbum ? .acknowledged : .notRouted,
      patterns: isAlbum ? ["alb"] : nil
    )
  }
}
