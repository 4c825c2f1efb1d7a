import { readFile } from 'node:fs/promises';
import axe from 'axe-core';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_MODEL, ensureDemoModel } from '../scripts/demo-model.js';
import { chromiumPath } from './browser.js';
import { type Site, startSite, translate } from './site.js';

const executable = chromiumPath();
if (!executable) process.stdout.write('browser tests left out: there is no Chromium on this machine\n');

describe.skipIf(!executable)('the page with a model', () => {
  let site: Site;

  beforeAll(async () => {
    ensureDemoModel('ignore');
    site = await startSite(executable!, DEMO_MODEL);
  }, 300_000);

  afterAll(() => site?.close());

  async function weightsOf(page: Page): Promise<number[][]> {
    const rows = await page.locator('#panel-translate').getByTestId('attention').locator('tbody tr').all();
    const read = (cells: Element[]) => cells.map((cell) => Number((cell as HTMLElement).dataset.weight));
    return Promise.all(rows.map((row) => row.locator('td').evaluateAll(read)));
  }

  test('translates the sentence it never saw, each row of weights adds up to one, nothing is complained of', async () => {
    const page = await site.open('Ready');
    expect(await translate(page, '欢迎来北京')).toBe('Welcome to Beijing');
    const columns = await page
      .locator('#panel-translate')
      .getByTestId('attention')
      .locator('thead th')
      .allTextContents();
    expect(columns).toEqual(['欢迎', '来', '北京']);
    const weights = await weightsOf(page);
    expect(weights.length).toBeGreaterThanOrEqual(3);
    for (const row of weights) expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4);
    expect(await page.getByTestId('status').textContent()).toMatch(/wasm (relaxed-)?simd.*\d ms/s);
    expect(site.complaints).toEqual([]);
    await page.close();
  }, 120_000);

  test('a beam, several sentences, unseen letters and an over-long paste are answered', async () => {
    const page = await site.open('Ready');
    await page.getByLabel('Beam').selectOption('5');
    expect(await translate(page, '欢迎来北京。我们喜欢下棋。')).toMatch(/Beijing.*\S+ .*chess/i);
    expect(await page.getByRole('tab', { name: 'Sentence' }).count()).toBe(2);
    expect(await translate(page, '🙂 qwerty')).not.toBe('');
    await translate(page, '我喜欢北京'.repeat(400));
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  }, 120_000);

  test('a beam shows what else it found, best first; the one that is picked is shown, its attention too, and copied', async () => {
    const page = await site.open('Ready');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Beam').selectOption('5');
    const best = await translate(page, '我们明天去上海。');
    const found = page.getByRole('radio');
    expect(await found.count()).toBe(5);
    expect(await found.first().isChecked()).toBe(true);
    const scores = await page.locator('.score').allTextContents();
    const numbers = scores.map((score) => Number.parseInt(score, 10));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    const before = await weightsOf(page);
    await found.nth(1).check();
    const second = ((await page.getByTestId('translation').textContent()) ?? '').trim();
    expect(second).not.toBe(best);
    expect(await weightsOf(page)).not.toEqual(before);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(second);
    await page.close();
  }, 120_000);

  test('the attention is saved as a picture and as numbers', async () => {
    const page = await site.open('Ready');
    await translate(page, '欢迎来北京');
    const save = async (format: string): Promise<Buffer> => {
      const [download] = await Promise.all<Download | undefined>([
        page.waitForEvent('download'),
        page.getByRole('button', { name: format }).click().then(),
      ] as [Promise<Download>, Promise<undefined>]);
      expect(download!.suggestedFilename()).toBe(`attention.${format.toLowerCase()}`);
      return readFile(await download!.path());
    };
    const { source, target, weights } = JSON.parse((await save('JSON')).toString());
    expect([source, target]).toEqual([
      ['欢迎', '来', '北京'],
      ['Welcome', 'to', 'Beijing'],
    ]);
    const shown = await weightsOf(page);
    for (const [t, row] of weights.entries())
      for (const [s, weight] of row.entries()) expect(weight).toBeCloseTo(shown[t]![s]!, 5);
    const svg = (await save('SVG')).toString();
    expect(svg).toMatch(/^<svg [^>]*>.*Beijing ← 北京: 0\.9.*<\/svg>\s*$/s);
    const png = await save('PNG');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(200); // its width
    expect(site.complaints).toEqual([]);
    await page.close();
  }, 120_000);

  test('with 8-bit weights it says the same', async () => {
    const page = await site.open('Ready');
    const exact = await translate(page, '我们昨天在超市看见我奶奶了。');
    await page.getByLabel('Weights').selectOption('int8');
    await page.getByTestId('translation').getByText(exact).waitFor({ state: 'detached' });
    await page.waitForFunction(() => /Ready/.test(document.querySelector('[data-testid=status]')?.textContent ?? ''));
    expect(await page.getByLabel('Weights').inputValue()).toBe('int8');
    expect(await translate(page, '我们昨天在超市看见我奶奶了。')).toBe(exact);
    await page.close();
  }, 120_000);

  test('after one visit it works without a network', async () => {
    const page = await site.open('Ready');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('Ready', { exact: false }).waitFor({ timeout: 60_000 });
    expect(await translate(page, '欢迎来北京')).toBe('Welcome to Beijing');
    await page.close();
  }, 120_000);

  test.each(['light', 'dark'] as const)(
    '%s: axe finds no fault',
    async (colorScheme) => {
      const page = await site.open('Ready', { colorScheme, bypassCSP: true });
      await page.getByLabel('Beam').selectOption('5');
      await translate(page, '我们明天去上海。大卫把钥匙忘在教室了。');
      await page.evaluate(axe.source);
      const faults = async () => {
        const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
        return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      };
      expect(await faults()).toEqual([]);
      await page.getByRole('tab', { name: 'Train' }).click();
      expect(await faults()).toEqual([]);
      await page.close();
    },
    120_000,
  );

  test('everything is reached with the keyboard', async () => {
    const page = await site.open('Ready');
    await page.locator('#text').fill('欢迎来北京');
    await page.keyboard.press('Enter');
    await page.getByText('Welcome to Beijing').waitFor();
    await page.getByRole('tab', { name: 'Translate' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { name: 'Train' }).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('button', { name: 'Start training' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('#text').waitFor();
    const reached: string[] = [];
    await page.getByRole('button', { name: '中文' }).focus();
    for (let i = 0; i < 16; i++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const { labels, textContent, tagName } = document.activeElement as HTMLInputElement;
          return `${tagName} ${(labels?.[0]?.textContent ?? textContent ?? '').trim().split(/\s+/).slice(0, 2).join(' ')}`;
        }),
      );
    }
    const expected = [
      'BUTTON Translate',
      'TEXTAREA Text',
      'SELECT Weights',
      'SELECT Beam',
      'BUTTON Copy',
      'BUTTON PNG',
    ];
    for (const name of expected) expect(reached.join('\n')).toContain(name);
    expect(reached.filter((name) => name.startsWith('INPUT Open'))).toHaveLength(2);
    await page.close();
  }, 120_000);

  test.each(['en-US', 'zh-CN'])(
    '%s: nothing is wider than a telephone',
    async (locale) => {
      const page = await site.open(locale === 'en-US' ? 'Ready' : '就绪', {
        locale,
        viewport: { width: 390, height: 844 },
      });
      await page.locator('#text').fill('我们昨天在超市看见我奶奶了。我奶奶上个周末买了两件衬衫。');
      await page.keyboard.press('Enter');
      await page.getByTestId('attention').waitFor();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await overflow()).toBe(0);
      await page.getByRole('tab').nth(1).click();
      for (const corpus of ['built-in', 'own']) {
        await page.locator('#panel-train select').first().selectOption(corpus);
        expect(await overflow()).toBe(0);
      }
      await page.close();
    },
    60_000,
  );

  test('the page stays free while it translates: no task over 50 ms', async () => {
    const page = await site.open('Ready');
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(globalThis, { longTasks: seen });
      new PerformanceObserver((list) => void seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      });
    });
    await translate(page, '我们昨天在超市看见我奶奶了。');
    expect(await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)).toEqual([]);
    await page.close();
  }, 120_000);

  test('speaks Chinese to a Chinese browser, and English from then on when asked to', async () => {
    const page = await site.open('就绪', { locale: 'zh-CN' });
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByTestId('status').getByTitle('这个浏览器支持 WebAssembly').waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByTestId('status').getByTitle('This browser has WebAssembly').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Translate', exact: true }).waitFor();
    await page.close();
  }, 60_000);
});
