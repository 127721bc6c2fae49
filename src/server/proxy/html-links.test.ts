import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteLinks } from './html-links.ts';

const cases: readonly (readonly [what: string, page: string, rewritten: string])[] = [
  ['a link', '<a href="/x">y</a>', '<a href="P/x">y</a>'],
  ['quotes of any kind, or none', `<img src='/i'><img SRC=/i>`, '<img src="P/i"><img src="P/i">'],
  ['a tag that closes itself', '<link href=/x.css/>', '<link href="P/x.css"/>'],
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
