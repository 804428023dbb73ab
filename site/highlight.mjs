import hljs from "highlight.js";

export function highlight(code, language) {
  const html = hljs.highlight(code, { language: hljs.getLanguage(language) ? language : "plaintext" }).value;
  return `<pre v-pre><code>${html}</code></pre>`;
}
