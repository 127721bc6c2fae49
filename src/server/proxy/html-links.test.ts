import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkRewriter, rewriteLinks } from './html-links.ts';

const cases: readonly (readonly [what: string, page: string, rewritten: string])[] = [
  ['a link', '<a href="/x">y</a>', '<a href="P/x">y</a>'],
  ['quotes of any kind, or none', `<img src='/i'><img SRC=/i>`, '<img src="P/i"><img src="P/i">'],
  ['a tag that closes itself', '<link href="/x.css"/><br/>', '<link href="P/x.css"/><br/>'],
  ['a slash that belongs to a value', '<link href=/x.css/>', '<link href="P/x.css/">'],
  ['an attribute that comes twice', '<a href=/x HREF=/y>', '<a href="P/x">'],
  ['a quote that is no quote', `<a b'c href="/x">`, `<a b'c="" href="P/x">`],
  ['comments that end early', '<!--><a href="/x"><!--a--!><a href="/y">', '<!--><a href="P/x"><!--a--!><a href="P/y">'],
  ['a tag that the page breaks off in', 'a<b>c<a href="/x', 'a<b>c'],
  ['an attribute without a value', '<script async src="/s"></script>', '<script async="" src="P/s"></script>'],
  ['escaped characters', '<a href="/x?a=1&amp;b=2" title="&lt;&quot;&eacute;">', '<a href="P/x?a=1&amp;b=2" title="&lt;&#34;&eacute;">'],
  ['other attributes', '<p href="/x" class="/y">', '<p href="/x" class="/y">'],
  ['a script that looks like a page', `<script>x("<a href='/no'>")</script>`, `<script>x("<a href='/no'>")</script>`],
  ['a comment', '<!-- <a href="/no"> --><!doctype html>', '<!-- <a href="/no"> --><!doctype html>'],
  ['text with signs of less', '1 < 2 <b>&amp;</b>', '1 < 2 <b>&amp;</b>'],
  ['a greater sign in an attribute', '<a title="a>b" href="/x">', '<a title="a&gt;b" href="P/x">'],
  ['a text that never ends', '<title>a <b', '<title>a <b'],
];

for (const [what, page, rewritten] of cases) {
  test(`rewriteLinks() knows ${what}`, () => {
    assert.equal(
      rewriteLinks(page, (link) => `P${link}`),
      rewritten,
    );
  });
}

test('a page in parts of any size comes out the same', () => {
  const page = cases
    .map(([, text]) => text)
    .slice(0, -2)
    .join(' ');
  const whole = rewriteLinks(page, (link) => `P${link}`);
  for (let size = 1; size < 40; size++) {
    const rewriter = new LinkRewriter((link) => `P${link}`);
    let result = '';
    for (let at = 0; at < page.length; at += size) result += rewriter.write(page.slice(at, at + size));
    assert.equal(result + rewriter.end(), whole, `parts of ${size}`);
  }
});

for (const [what, unit] of [
  ['tags that do not end', '<a '],
  ['quotes that do not end', '<a b="'],
  ['quotes in turn', `<a '"`],
  ['comments that do not end', '<!-'],
  ['ends that are none', '</'],
  ['slashes', '<a /'],
  ['scripts', '<script></scrip'],
] as const) {
  test(`rewriteLinks() reads ${what} in time that grows with the page`, { timeout: 20_000 }, () => {
    // what backtracks takes hours for this
    for (const size of [unit.length, 4096]) {
      const rewriter = new LinkRewriter((link) => link);
      const part = unit.repeat(Math.ceil(size / unit.length));
      for (let sent = 0; sent < 2_000_000; sent += part.length) rewriter.write(part);
      rewriter.end();
    }
  });
}
