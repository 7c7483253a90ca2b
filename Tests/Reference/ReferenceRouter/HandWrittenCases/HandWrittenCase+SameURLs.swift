extension HandWrittenCase {
  private static let beta = Application("beta", [.window("main")])

  private static func same(_ name: String, _ shown: String, _ url: String) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: [beta],
      scenes: [Scene("s1", of: "alpha", showing: [shown])],
      machineName: "Box",
      event: .url(url),
      attempts: ["showing s1 acknowledged"],
      end: .acknowledged,
      patterns: [shown]
    )
  }

  private static func other(
    _ name: String,
    _ shown: String,
    _ url: String,
    machineName: String? = "Box"
  ) -> HandWrittenCase {
    HandWrittenCase(
      name,
      applications: [beta],
      scenes: [Scene("s1", of: "alpha", showing: [shown])],
      machineName: machineName,
      event: .url(url),
      attempts: ["default new beta/main acknowledged"],
      end: .acknowledged
    )
  }

  /// Pairs of URLs: a scene that shows the first URL gets the event with the second URL.
  static let sameURLs = [
    same("caseOfTheSchemeIsNothing", "HTTPS://h/a", "https://h/a"),
    same("caseOfTheHostIsNothing", "https://EXAMPLE.org/a", "https://example.ORG/a"),
    same("caseOfAHostOfAnySchemeIsNothing", "Photos://Album/4711", "photos://album/4711"),
    same("caseOfAnAddressIsNothing", "http://[2001:DB8::A]/", "http://[2001:db8::a]/"),
    same("emptyPortIsNone", "https://h:/a", "https://h/a"),
    same("emptyPortOfAnySchemeIsNone", "photos://h:/a", "photos://h/a"),
    same("portOfHTTPIsTheDefault", "http://h:80/a", "http://h/a"),
    same("portOfHTTPSIsTheDefault", "https://h/a", "HTTPS://h:443/a"),
    same("portOfWebSocketsIsTheDefault", "ws://h:80/a", "ws://h/a"),
    same("portOfSecureWebSocketsIsTheDefault", "wss://h:443/a", "wss://h/a"),
    same("portOfFTPIsTheDefault", "ftp://h:21/a", "ftp://h/a"),
    same("portOfAnAddressIsTheDefault", "http://[::1]:80/a", "http://[::1]/a"),
    same("portBesideUserinfoIsTheDefault", "http://u:80@h:80/a", "http://u:80@h/a"),
    same("emptyPathAfterAHostIsASlash", "https://h", "https://h/"),
    same("emptyPathBeforeAQueryIsASlash", "https://h?a", "https://h/?a"),
    same("emptyPathAfterAPortIsASlash", "https://h:443", "https://h/"),
    same("emptyPathOfAnySchemeIsASlash", "photos://album", "photos://album/"),
    same("unreservedLettersAreDecoded", "https://h/%41%7a%30%2D%2e%5F%7E", "https://h/Az0-._~"),
    same("digitsOfTripletsAreCapital", "https://h/%c3%a9%2f?%c3%a9", "https://h/%C3%A9%2F?%C3%A9"),
    same("unreservedLettersOfAQueryAreDecoded", "https://h/?%61", "https://h/?a"),
    same("unreservedLettersOfUserinfoAreDecoded", "https://%75@h/", "https://u@h/"),
    same("unreservedLettersOfAHostAreDecoded", "https://%65xample.org/", "https://example.org/"),
    same("whatHasNoASCIIIsEncoded", "https://h/\u{E9}?\u{E9}", "https://h/%C3%A9?%C3%A9"),
    same("hostThatHasNoASCIIIsEncoded", "https://caf\u{E9}.test/", "https://caf%C3%A9.test/"),
    same(
      "whatIsNotAllowedIsEncoded",
      "https://h/a|b^c`d{e}f\"g<h>i\\j[k]",
      "https://h/a%7Cb%5Ec%60d%7Be%7Df%22g%3Ch%3Ei%5Cj%5Bk%5D"
    ),
    same("whatIsNotAllowedInAQueryIsEncoded", "https://h/?a[]=|", "https://h/?a%5B%5D=%7C"),
    same("strayPercentSignIsEncoded", "https://h/100%", "https://h/100%25"),
    same("strayPercentSignBeforeOneDigitIsEncoded", "https://h/%4?%g0", "https://h/%254?%25g0"),
    same("strayPercentSignBeforeATripletIsEncoded", "https://h/%%41", "https://h/%25A"),
    same("dotSegmentsAreRemoved", "https://h/a/./b/../c", "https://h/a/c"),
    same("dotSegmentsAtTheEndAreRemoved", "https://h/a/b/..", "https://h/a/."),
    same("dotSegmentsAboveTheRootAreRemoved", "https://h/../../a", "https://h/a"),
    same("dotSegmentsAreRemovedWhenDecoded", "https://h/a/%2E%2e/b/%2E/c", "https://h/b/c"),
    same("dotSegmentsBeforeSlashesAreAsOne", "https://h/.././/a", "https://h/./b/..//a"),
    same("slashesAtTheBeginningOfAPathStay", "https://h//a/../b", "https://h//b"),
    same("fragmentIsNothing", "https://h/a#b", "https://h/a#c?d"),
    same("emptyFragmentIsNothing", "https://h/a#", "https://h/a"),
    same("fragmentAfterTheHostIsNothing", "https://h#a", "https://h"),
    same("hostOfAFileIsLocalhost", "file://LOCALHOST/a", "file:///a"),
    same("hostOfAFileIsThisMachine", "file://box/a", "file:///a"),
    same("hostOfAFileIsThisMachineInAnyCase", "file:///a", "file://BOX/a"),
    same("fileNeedsNoHost", "file:/a", "file:///a"),
    same("caseOfTheSchemeFileIsNothing", "FILE:/a", "file://localhost/a"),
    same("parenthesesOfFilesAreDecoded", "file:///a(1).c", "file:///a%281%29.c"),
    same(
      "delimitersOfFilesAreDecoded",
      "file:///!$&'()*+,;=:@",
      "file:///%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40"
    ),
    same("spellingOfOtherLettersOfFilesIsNothing", "file:///\u{E9}[1]", "file:///%c3%a9%5B1%5d"),
    same("questionMarksOfFilesStayEncoded", "file:///a%3fb", "file:///a%3Fb"),
    same("percentSignsOfFilesStayEncoded", "file:///100%", "file:///100%25"),
    same("dotSegmentsOfFilesAreRemoved", "file:///a/../%2E/b", "file:/b"),
    same("fragmentOfAFileIsNothing", "file:///a#L10", "file:///a"),
    same("urlWithoutAHostIsTheSameVerbatim", "mailto:a@example.org", "MAILTO:a@example.org"),
  ]

  /// Pairs of URLs: a scene that shows the first URL does not get the event with the second URL.
  static let otherURLs = [
    other("caseOfAPathIsSomething", "https://h/A", "https://h/a"),
    other("caseOfUserinfoIsSomething", "https://U@h/", "https://u@h/"),
    other("userinfoIsSomething", "https://u@h/", "https://h/"),
    other("caseOfAQueryIsSomething", "https://h/?A", "https://h/?a"),
    other("schemeIsSomething", "http://h/a", "https://h/a"),
    other("portIsSomething", "https://h:8443/a", "https://h/a"),
    other("portOfAnotherSchemeIsSomething", "http://h:443/a", "http://h/a"),
    other("portOfAnySchemeIsSomething", "photos://h:80/a", "photos://h/a"),
    other("queryIsSomething", "https://h/a?utm_source=x", "https://h/a"),
    other("emptyQueryIsSomething", "https://h/a?", "https://h/a"),
    other("orderOfAQueryIsSomething", "https://h/?a&b", "https://h/?b&a"),
    other("wwwIsSomething", "https://www.example.org/", "https://example.org/"),
    other("emptyPathAfterNoHostStays", "photos://", "photos:///"),
    other("slashesAtTheBeginningOfAPathAreSomething", "https://h//a", "https://h/a"),
    other("dotSegmentsLeaveNoSlashesAtTheBeginning", "https://h/.//a", "https://h//a"),
    other("dotSegmentsLeaveNoHost", "photos:/.//album/4711", "photos://album/4711"),
    other("dotSegmentsOfFilesLeaveNoHost", "file:/..//server/a", "file://server/a"),
    other("slashAtTheEndIsSomething", "https://h/a/", "https://h/a"),
    other("doubledSlashIsSomething", "https://h/a//b", "https://h/a/b"),
    other("dotAtTheEndOfAHostIsSomething", "https://h./", "https://h/"),
    other("encodedSlashIsSomething", "https://h/a%2Fb", "https://h/a/b"),
    other("encodedDelimitersAreSomething", "https://h/a%28", "https://h/a("),
    other("encodedQuestionMarkIsSomething", "https://h/a%3Fb", "https://h/a?b"),
    other("dotSegmentsOfAQueryStay", "https://h/?a/../b", "https://h/?b"),
    other("segmentOfThreeDotsStays", "https://h/a/.../b", "https://h/b"),
    other("encodedSlashOfAFileIsSomething", "file:///a%2Fb", "file:///a/b"),
    other("encodedNullOfAFileStays", "file:///a%00", "file:///a"),
    other("encodedQuestionMarkOfAFileIsSomething", "file:///a%3Fb", "file:///a?b"),
    other("encodedNumberSignOfAFileIsSomething", "file:///a%23b", "file:///a#b"),
    other("percentSignIsDecodedOnce", "file:///a%2541", "file:///a%41"),
    other("hostOfAFileIsSomething", "file://server/a", "file:///a"),
    other("localhostOfTheWebIsSomething", "http://localhost/a", "http:///a"),
    other("machineOfTheWebIsSomething", "http://box/a", "http://localhost/a"),
    other("nameOfTheMachineIsWhole", "file://box.test/a", "file:///a"),
    other("machineWithoutANameHasNone", "file://box/a", "file:///a", machineName: nil),
    other("hostsAreNotConverted", "https://xn--caf-dma.test/", "https://caf\u{E9}.test/"),
    other("formOfUnicodeIsSomething", "https://h/\u{E9}", "https://h/e\u{301}"),
    other("caseOfOtherHostsIsSomething", "https://CAF\u{C9}.test/", "https://caf\u{E9}.test/"),
  ]
}
