/// Pairs of an identifier and a comparison string, and whether the identifier matches the string.
package enum FoldingProbes {
  /// An identifier, a comparison string, and whether the identifier matches the string.
  package struct Probe: Sendable, CustomStringConvertible {
    /// The identifier.
    package var identifier: String

    /// The comparison string.
    package var string: String

    /// Whether the identifier matches the comparison string.
    package var matches: Bool

    /// The line in `FoldingProbes.table` from which the probe was read.
    package var description: String
  }

  /// All probes.
  ///
  /// Every scalar in the texts has had the same category and the same folding since version 14 of Unicode.
  package static let all = table.split(whereSeparator: \.isNewline).map { line in
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return Probe(
      identifier: unescaped(parts[1]),
      string: unescaped(parts[3]),
      matches: parts[0].hasPrefix("yes"),
      description: String(line)
    )
  }

  private static func unescaped(_ text: Substring) -> String {
    var string = ""
    var rest = text
    while let character = rest.popFirst() {
      if character == "\\" {
        let digits = rest.dropFirst(2).prefix { $0 != "}" }
        string.unicodeScalars.append(Unicode.Scalar(UInt32(digits, radix: 16)!)!)
        rest = rest.dropFirst(digits.count + 3)
      } else {
        string.append(character)
      }
    }
    return string
  }

  private static let table = #"""
    yes `e` `\u{E9}` accent
    yes `e` `e\u{301}` accent
    yes `\u{E9}` `e` accent
    yes `e\u{301}` `e` accent
    yes `\u{E9}` `e\u{301}` accent
    yes `e\u{301}` `\u{E9}` accent
    yes `\u{C9}` `e` accent
    yes `\u{C9}` `e\u{301}` accent
    yes `e` `E\u{300}` accent
    yes `\u{E9}` `\u{E8}` accent
    yes `e\u{301}` `e\u{300}` accent
    yes `e\u{301}` `\u{E8}` accent
    yes `cafe` `https://caf\u{E9}.com/x` accent
    yes `caf\u{E9}` `HTTPS://CAFE.COM` accent
    yes `cafe\u{301}` `CAF\u{C9}/x` accent
    yes `fe/` `cafe\u{301}/` accent
    yes `fe/` `caf\u{E9}/` accent
    yes `naive` `na\u{EF}ve` accent
    yes `Zo\u{EB}` `ZOE1` accent
    yes `e` `e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}` accent
    yes `ex` `e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}x` accent
    yes `manana` `ma\u{F1}ana` accent
    yes `o\u{323}\u{302}` `o\u{302}\u{323}` accent
    yes `ss` `\u{DF}` sharp s
    yes `\u{DF}` `ss` sharp s
    yes `\u{1E9E}` `\u{DF}` sharp s
    yes `\u{DF}` `\u{1E9E}` sharp s
    yes `SS` `\u{DF}` sharp s
    yes `\u{1E9E}` `ss` sharp s
    yes `strasse` `STRA\u{DF}E` sharp s
    yes `stra\u{DF}e` `STRASSE` sharp s
    yes `s` `\u{DF}` sharp s
    yes `as` `a\u{DF}` sharp s
    yes `sa` `\u{DF}a` sharp s
    no  `\u{DF}` `s` sharp s
    yes `s\u{DF}` `\u{DF}s` sharp s
    yes `i` `\u{130}` turkish
    yes `\u{130}` `i` turkish
    no  `I` `\u{131}` turkish
    no  `i` `\u{131}` turkish
    no  `\u{131}` `I` turkish
    no  `\u{131}` `i` turkish
    yes `I` `i` turkish
    yes `i\u{307}` `\u{130}` turkish
    yes `istanbul` `\u{130}STANBUL` turkish
    yes `\u{130}stanbul` `istanbul` turkish
    no  `\u{131}z` `IZ` turkish
    no  `\u{237}` `j` turkish
    yes `\u{3C3}` `\u{3C2}` greek
    yes `\u{3C2}` `\u{3A3}` greek
    yes `\u{3A3}` `\u{3C3}` greek
    yes `\u{39F}\u{394}\u{39F}\u{3A3}` `\u{3BF}\u{3B4}\u{3BF}\u{3C2}` greek
    yes `\u{3C2}` `\u{3C3}` greek
    yes `\u{3B1}` `\u{3AC}` greek
    yes `\u{3B1}` `\u{1FB3}` greek
    no  `\u{3B1}\u{3B9}` `\u{1FB3}` greek
    yes `\u{1FB3}` `\u{3B1}\u{3B9}` greek
    yes `\u{3B1}` `\u{1F82}` greek
    yes `\u{3B9}` `\u{390}` greek
    yes `\u{3B2}` `\u{3D0}` greek
    yes `\u{3B8}` `\u{3D1}` greek
    no  `\u{3B9}` `\u{3B1}\u{345}` greek
    yes `\u{3BC}` `\u{B5}` greek
    yes `\u{E5}` `\u{212B}` angstrom
    yes `\u{212B}` `\u{E5}` angstrom
    yes `a` `\u{212B}` angstrom
    yes `k` `\u{212A}` angstrom
    yes `\u{212A}` `k` angstrom
    yes `\u{3C9}` `\u{2126}` angstrom
    yes `fi` `\u{FB01}` ligature
    yes `\u{FB01}` `fi` ligature
    yes `f` `\u{FB01}` ligature
    yes `\u{FB01}` `FI` ligature
    yes `office` `o\u{FB03}ce` ligature
    yes `st` `\u{FB05}` ligature
    yes `\u{FB05}` `\u{FB06}` ligature
    no  `ij` `\u{133}` ligature
    no  `d\u{17E}` `\u{1C4}` ligature
    yes `\u{1C6}` `\u{1C4}` ligature
    yes `\u{1C5}` `\u{1C4}` ligature
    yes `n` `\u{149}` ligature
    yes `\u{2BC}n` `\u{149}` ligature
    yes `ff` `\u{FB00}` ligature
    yes `\u{587}` `\u{565}\u{582}` ligature
    yes `\u{565}\u{582}` `\u{587}` ligature
    no  `ae` `\u{E6}` ae/oe
    no  `oe` `\u{153}` ae/oe
    yes `\u{E6}` `\u{C6}` ae/oe
    yes `\u{E6}` `\u{1FD}` ae/oe
    no  `ae` `\u{E4}` ae/oe
    no  `a` `\u{FF41}` width
    no  `A` `\u{FF41}` width
    yes `\u{FF41}` `\u{FF21}` width
    no  `\u{30AC}` `\u{FF76}\u{FF9E}` width
    yes `\u{FF76}` `\u{FF76}\u{FF9E}` width
    no  `\u{30AB}` `\u{FF76}` width
    no  `2` `\u{B2}` compat
    no  `tm` `\u{2122}` compat
    no  `a` `\u{AA}` compat
    no  `1` `\u{2460}` compat
    yes `\u{24D0}` `\u{24B6}` compat
    yes `\u{2167}` `\u{2177}` compat
    no  `\u{20}` `\u{A0}` compat
    no  `1` `\u{FF11}` compat
    yes `\u{AC00}` `\u{1100}\u{1161}` hangul
    yes `\u{1100}\u{1161}` `\u{AC00}` hangul
    no  `\u{1100}` `\u{AC00}` hangul
    no  `\u{1100}` `\u{1100}\u{1161}` hangul
    no  `\u{AC00}` `\u{AC01}` hangul
    no  `\u{AC00}` `\u{1100}\u{1161}\u{11A8}` hangul
    no  `\u{1100}\u{1161}` `\u{AC01}` hangul
    yes `\u{AC01}` `\u{AC00}\u{11A8}` hangul
    no  `\u{3131}` `\u{1100}` hangul
    yes `\u{D55C}` `\u{D55C}\u{AD6D}` hangul
    no  `\u{11A8}` `\u{AC01}` hangul
    yes `\u{915}` `\u{915}\u{93F}` devanagari
    yes `\u{915}` `\u{915}\u{941}` devanagari
    no  `\u{915}\u{93F}` `\u{915}` devanagari
    yes `\u{915}\u{941}` `\u{915}` devanagari
    yes `\u{915}\u{941}` `\u{915}\u{93F}` devanagari
    yes `\u{915}` `\u{915}\u{94D}` devanagari
    yes `\u{915}\u{94D}\u{937}` `\u{915}\u{937}` devanagari
    yes `\u{915}\u{937}` `\u{915}\u{94D}\u{937}` devanagari
    yes `\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}` `app://\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}/1` devanagari
    no  `\u{939}\u{928}` `\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}` devanagari
    yes `\u{915}` `\u{958}` devanagari
    yes `\u{915}\u{93C}` `\u{958}` devanagari
    yes `\u{915}` `\u{915}\u{93C}` devanagari
    yes `\u{915}\u{902}` `\u{915}` devanagari
    yes `\u{93F}` `\u{915}\u{93F}` devanagari
    no  `\u{941}` `\u{915}\u{941}` devanagari
    yes `\u{995}` `\u{995}\u{9BE}` devanagari
    yes `\u{B95}` `\u{B95}\u{BC8}` devanagari
    yes `\u{B95}\u{BC6}\u{BBE}` `\u{B95}\u{BCA}` devanagari
    yes `\u{B95}` `\u{B95}\u{BCD}` devanagari
    yes `\u{643}\u{62A}\u{628}` `\u{643}\u{64E}\u{62A}\u{64E}\u{628}\u{64E}` arabic
    yes `\u{643}\u{64E}\u{62A}\u{64E}\u{628}\u{64E}` `\u{643}\u{62A}\u{628}` arabic
    no  `\u{627}` `\u{623}` arabic
    no  `\u{623}` `\u{627}` arabic
    yes `\u{623}` `\u{627}\u{654}` arabic
    no  `\u{627}` `\u{622}` arabic
    no  `\u{643}\u{62A}\u{628}` `\u{643}\u{640}\u{62A}\u{628}` arabic
    no  `\u{64A}` `\u{6CC}` arabic
    no  `\u{627}` `\u{FE8E}` arabic
    no  `\u{644}\u{627}` `\u{FEFB}` arabic
    no  `\u{647}` `\u{629}` arabic
    yes `\u{5E9}\u{5DC}\u{5D5}\u{5DD}` `\u{5E9}\u{5B8}\u{5C1}\u{5DC}\u{5D5}\u{5B9}\u{5DD}` hebrew
    yes `\u{5E9}\u{5B8}\u{5C1}\u{5DC}\u{5D5}\u{5B9}\u{5DD}` `\u{5E9}\u{5DC}\u{5D5}\u{5DD}` hebrew
    yes `\u{5E9}` `\u{FB2A}` hebrew
    yes `\u{5E9}\u{5C1}` `\u{FB2A}` hebrew
    no  `\u{5DE}` `\u{5DD}` hebrew
    yes `\u{E01}\u{E32}` `\u{E01}\u{E48}\u{E32}` thai
    yes `\u{E01}\u{E48}\u{E32}` `\u{E01}\u{E32}` thai
    yes `\u{E17}\u{E35}\u{E48}` `\u{E17}\u{E35}` thai
    yes `\u{E17}` `\u{E17}\u{E35}\u{E48}` thai
    yes `\u{E19}` `\u{E19}\u{E49}\u{E33}` thai
    yes `\u{E19}\u{E33}` `\u{E19}\u{E49}\u{E33}` thai
    no  `\u{E19}\u{E32}` `\u{E19}\u{E33}` thai
    yes `\u{E81}\u{EB2}` `\u{E81}\u{EC8}\u{EB2}` thai
    yes `viet\u{20}nam` `Vi\u{1EC7}t\u{20}Nam` vietnamese
    yes `\u{EA}` `\u{1EC7}` vietnamese
    yes `e` `\u{1EC7}` vietnamese
    yes `\u{1EC7}` `e\u{323}\u{302}` vietnamese
    yes `e\u{323}\u{302}` `\u{1EC7}` vietnamese
    yes `\u{EA}\u{323}` `\u{1EC7}` vietnamese
    yes `o` `\u{1A1}` vietnamese
    yes `u` `\u{1B0}` vietnamese
    no  `d` `\u{111}` vietnamese
    yes `truong` `tr\u{1B0}\u{1EDD}ng` vietnamese
    no  `\u{110}\u{1B0}\u{1EDD}ng` `duong` vietnamese
    yes `\u{2764}` `\u{2764}\u{FE0F}` emoji
    yes `\u{2764}\u{FE0F}` `\u{2764}` emoji
    yes `\u{1F44D}` `\u{1F44D}\u{1F3FD}` emoji
    no  `\u{1F44D}\u{1F3FD}` `\u{1F44D}` emoji
    no  `\u{1F44D}\u{1F3FD}` `\u{1F44D}\u{1F3FF}` emoji
    yes `\u{1F468}` `\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}` emoji
    yes `\u{1F469}` `\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}` emoji
    no  `\u{1F468}\u{1F469}\u{1F467}` `\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}` emoji
    no  `\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}` `\u{1F468}\u{1F469}\u{1F467}` emoji
    yes `\u{1F1EB}` `\u{1F1EB}\u{1F1F7}` emoji
    yes `\u{1F1F7}` `\u{1F1EB}\u{1F1F7}` emoji
    yes `\u{1F1F7}\u{1F1EB}` `\u{1F1EB}\u{1F1F7}\u{1F1EB}\u{1F1F7}` emoji
    yes `1` `1\u{FE0F}\u{20E3}` emoji
    yes `1\u{FE0F}\u{20E3}` `1` emoji
    yes `\u{1F3FD}` `\u{1F44D}\u{1F3FD}` emoji
    yes `\u{1F3F4}` `\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}` emoji
    yes `\u{1F600}` `x\u{1F600}y` emoji
    no  `\u{1F600}` `\u{1F601}` emoji
    no  `\u{1F44D}x` `\u{1F44D}\u{1F3FD}x` emoji
    yes `\u{2764}x` `\u{2764}\u{FE0F}x` emoji
    no  `\u{301}` `e\u{301}` marks
    no  `\u{301}` `\u{E9}` marks
    no  `\u{301}` `e` marks
    no  `\u{301}` `` marks
    no  `\u{301}` `\u{301}` marks
    no  `\u{301}` `\u{300}` marks
    yes `\u{301}b` `a\u{301}b` marks
    yes `\u{301}b` `ab` marks
    yes `\u{301}b` `b` marks
    yes `\u{301}b` `xb` marks
    yes `b` `\u{301}b` marks
    yes `a` `a\u{308}b` marks
    yes `ab` `a\u{308}b` marks
    yes `a\u{308}` `ab` marks
    yes `a\u{308}b` `ab` marks
    yes `e` `e\u{301}` marks
    no  `\u{301}\u{302}` `x` marks
    yes `b\u{301}` `ab` marks
    yes `.\u{20}\u{301}` `.\u{20}` marks
    yes `/\u{338}` `/` marks
    yes `=` `\u{2260}` marks
    yes `=` `=\u{338}` marks
    yes `\u{2260}` `=` marks
    yes `<` `\u{226E}` marks
    yes `a` `a\u{20DD}` marks
    yes `a\u{20DD}` `a` marks
    yes `\u{430}` `\u{430}\u{488}` marks
    yes `x` `x\u{1D165}` marks
    yes `#\u{20E3}` `#` marks
    yes `ab` `a\u{34F}b` marks
    yes `a\u{34F}b` `ab` marks
    no  `*\u{301}` `x` marks
    yes `*` `*\u{301}` marks
    no  `\u{304B}` `\u{304C}` kana
    no  `\u{304C}` `\u{304B}` kana
    yes `\u{304C}` `\u{304B}\u{3099}` kana
    no  `\u{304B}` `\u{304B}\u{3099}` kana
    no  `\u{306F}` `\u{3071}` kana
    no  `\u{3070}` `\u{3071}` kana
    no  `\u{30AB}` `\u{30AC}` kana
    no  `\u{304B}` `\u{30AB}` kana
    yes `\u{304B}` `\u{304B}\u{309B}` kana
    no  `\u{3064}` `\u{3063}` kana
    no  `\u{30AB}\u{30EC}\u{30FC}\u{30B7}` `\u{30AC}\u{30EC}\u{30FC}\u{30B8}` kana
    no  `o` `\u{F8}` stroke
    no  `d` `\u{111}` stroke
    no  `l` `\u{142}` stroke
    yes `\u{142}` `\u{141}` stroke
    yes `\u{F8}` `\u{D8}` stroke
    no  `h` `\u{127}` stroke
    no  `t` `\u{167}` stroke
    no  `o` `\u{1FF}` stroke
    yes `\u{F8}` `\u{1FF}` stroke
    no  `d` `\u{F0}` stroke
    yes `c` `\u{E7}` stroke
    yes `s` `\u{15F}` stroke
    yes `a` `\u{105}` stroke
    yes `o` `o\u{338}` stroke
    no  `\u{F8}` `o\u{338}` stroke
    no  `ab` `a\u{200D}b` invisible
    no  `a\u{200D}b` `ab` invisible
    no  `ab` `a\u{200C}b` invisible
    no  `ab` `a\u{200B}b` invisible
    no  `ab` `a\u{AD}b` invisible
    no  `a\u{AD}b` `ab` invisible
    no  `ab` `a\u{2060}b` invisible
    no  `ab` `a\u{FEFF}b` invisible
    no  `ab` `a\u{200E}b` invisible
    no  `\u{200D}` `x` invisible
    yes `\u{200D}` `a\u{200D}b` invisible
    no  `\u{FE0F}` `x` invisible
    yes `ab` `\u{2066}ab\u{2069}` invisible
    no  `a\u{200C}b` `ab` invisible
    no  `\u{200B}` `x` invisible
    no  `\u{FEFF}` `x` invisible
    no  `\u{AD}` `x` invisible
    no  `a\u{200D}` `ab` invisible
    no  `\u{200D}b` `ab` invisible
    yes `\u{0}` `a\u{0}b` control
    yes `a\u{0}b` `xa\u{0}by` control
    no  `ab` `a\u{0}b` control
    yes `\u{A}` `\u{D}\u{A}` control
    yes `\u{D}` `\u{D}\u{A}` control
    no  `\u{D}\u{A}` `\u{A}` control
    yes `\u{9}` `a\u{9}b` control
    yes `\u{7F}` `a\u{7F}b` control
    no  `\u{2028}` `\u{A}` control
    no  `\u{0}` `ab` control
    yes `b` `a\u{0}b` control
    yes `\u{FFFF}` `a\u{FFFF}b` control
    yes `\u{FFFD}` `a\u{FFFD}b` control
    yes `\u{E000}` `a\u{E000}b` control
    no  `\u{E000}` `\u{E001}` control
    no  `caf%C3%A9` `https://x/caf\u{E9}` urls
    no  `caf\u{E9}` `https://x/caf%C3%A9` urls
    yes `caf%c3%a9` `https://x/CAF%C3%A9` urls
    yes `cafe` `x:cafe%CC%81` urls
    yes `MyApp://` `myapp://photo` urls
    yes `photoIdentifier=` `x://y?PHOTOIDENTIFIER=3` urls
    yes `a+b` `x:a+b` urls
    no  `a.c` `abc` urls
    no  `a*c` `abc` urls
    yes `a*c` `xa*c` urls
    no  `m\u{FC}nchen` `https://xn--mnchen-3ya.de` urls
    yes `\u{438}` `\u{439}` cyrillic
    yes `\u{435}` `\u{451}` cyrillic
    yes `\u{439}` `\u{419}` cyrillic
    yes `\u{439}` `\u{438}\u{306}` cyrillic
    yes `\u{41F}\u{420}\u{418}\u{412}\u{415}\u{422}` `\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}` cyrillic
    no  `i` `\u{456}` cyrillic
    yes `\u{456}` `\u{457}` cyrillic
    no  `\u{433}` `\u{491}` cyrillic
    yes `\u{1C90}` `\u{10D0}` other case
    yes `\u{13A0}` `\u{AB70}` other case
    yes `\u{10400}` `\u{10428}` other case
    yes `\u{1E900}` `\u{1E922}` other case
    yes `\u{531}` `\u{561}` other case
    yes `\u{2C00}` `\u{2C30}` other case
    yes `\u{2C80}` `\u{2C81}` other case
    yes `\u{10A0}` `\u{2D00}` other case
    yes `s` `\u{17F}` other case
    yes `S` `\u{17F}` other case
    yes `\u{1E61}` `\u{1E9B}` other case
    yes `n` `\u{149}` other case
    yes `j` `\u{1F0}` other case
    no  `d` `\u{2146}` other case
    no  `a` `\u{1D400}` other case
    no  `\u{1D41A}` `\u{1D400}` other case
    yes `\u{F42}` `\u{F42}\u{F72}` other marks
    yes `\u{1780}` `\u{1780}\u{17D2}\u{1780}` other marks
    yes `\u{1000}` `\u{1000}\u{103C}` other marks
    yes `\u{1B06}` `\u{1B05}\u{1B35}` other marks
    yes `\u{F900}` `\u{8C48}` other marks
    yes `\u{8C48}` `\u{F900}` other marks
    yes `\u{845B}` `\u{845B}\u{E0100}` other marks
    yes `\u{845B}\u{E0100}` `\u{845B}` other marks
    yes `\u{845B}x` `\u{845B}\u{E0100}x` other marks
    yes `\u{4E2D}` `\u{4E2D}\u{302A}` other marks
    yes `\u{4E2D}x` `\u{4E2D}\u{302A}x` other marks
    yes `ab` `a\u{FE20}b\u{FE21}` other marks
    no  `\u{16D68}` `\u{16D67}\u{16D67}` other marks
    yes `\u{10D}` `c\u{2C7}` other marks
    no  `h` `\u{2B0}` other marks
    yes `;` `\u{37E}` other marks
    yes `\u{B7}` `\u{387}` other marks
    yes `\u{60}` `\u{1FEF}` other marks
    yes `\u{B4}` `\u{1FFD}` other marks
    no  `` `abc` plain
    no  `` `` plain
    no  `abc` `` plain
    no  `abcd` `abc` plain
    yes `abc` `abc` plain
    yes `aab` `aaab` plain
    yes `\u{E1}b\u{E1}\u{20}c` `\u{C1}b\u{E1}b\u{C1}b\u{E1}\u{20}C` plain
    yes `ssa` `\u{DF}sa` plain
    yes `s\u{DF}t` `ssst` plain
    """#
}
