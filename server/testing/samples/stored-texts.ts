/** What people might write, by what it is. Each is short enough for the narrowest field, an icon. */
export const TEXTS: [string, string][] = [
  ['mark-up', '<script>x()'],
  ['a closing tag', '"></b><i x='],
  ['quotes', `'"\`“”'; --`],
  ['backslashes and wildcards', '\\%_\\\\%'],
  ['an entity', '&lt;&amp;&#39;'],
  ['right-to-left text and marks', '\u202eفلفل\u200f\u2067'],
  ['emoji of many parts', '👩‍🌾🇦🇹'],
  ['letters of four bytes', '𝒻𝒶𝓇𝓂𠜎'],
  ['a letter and its accent', 'e\u0301a\u0308'],
  ['a template', '{{7*7}}$7'],
  ['a name that objects have', '__proto__'],
];
