// Marks up code with highlight.js. VitePress's own highlighter needs a minute for the C++ on this site.

import hljs from "highlight.js";

export function highlight(code, info) {
  const [language] = info.split(":"); // the rest asks for line numbers
  const { value } = hljs.highlight(code.trimEnd(), { language: hljs.getLanguage(language) ? language : "plaintext" });
  return `<pre v-pre><code>${value}</code></pre>`;
}
