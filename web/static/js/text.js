// Words in the reader's language, with the same blanks and plural rules as the server's texts.

let table = {};
export let language = "en";

/** The index of the form for n: one/many in English, one/few/many in Russian. */
export function plural(lang, n) {
  n = Math.abs(n);
  if (lang === "ru") {
    if (n % 10 === 1 && n % 100 !== 11) return 0;
    return n % 10 >= 2 && n % 10 <= 4 && !(n % 100 >= 12 && n % 100 <= 14) ? 1 : 2;
  }
  return n === 1 ? 0 : 1;
}

/** Fills the blanks of a text. */
export function fillText(text, blanks = {}, lang = language) {
  return text.replace(/\{(\w+)(?:#([^}]*))?\}/g, (_, name, forms) =>
    forms === undefined ? String(blanks[name]) : forms.split("|")[plural(lang, Number(blanks[name]))],
  );
}

/** Says a text of the web. */
export function t(key, blanks) {
  return key in table ? fillText(table[key], blanks) : key;
}

/** Remembers the device's language and fetches its texts. */
export async function setLanguage(lang) {
  language = lang === "ru" ? "ru" : "en";
  localStorage.setItem("language", language);
  document.documentElement.lang = language;
  table = await (await fetch(`/api/texts?lang=${language}`)).json();
  document.title = t("title");
}

export function firstLanguage() {
  return localStorage.getItem("language") || document.documentElement.lang || "en";
}
