import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

const folders: Record<string, readonly string[]> = {
  linux: [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    path.join(homedir(), '.local/share/fonts'),
    path.join(homedir(), '.fonts'),
  ],
  darwin: ['/System/Library/Fonts', '/Library/Fonts', path.join(homedir(), 'Library/Fonts')],
  win32: [path.join(process.env.WINDIR ?? 'C:\\Windows', 'Fonts')],
};

// In order of preference: for each script the first face that is found is enough.
const wanted: readonly (readonly RegExp[])[] = [
  [
    /^NotoSans-Regular\./i,
    /^DejaVuSans\./i,
    /^LiberationSans-Regular\./i,
    /^Helvetica\./i,
    /^Arial\./i,
    /^segoeui\./i,
    /^Roboto-Regular\./i,
  ],
  [
    /^NotoSans(CJK|SC|CJKsc)-Regular\./i,
    /^SourceHanSans.*-Regular\./i,
    /^PingFang\./i,
    /^Hiragino Sans GB\./i,
    /^STHeiti/i,
    /^msyh\.tt/i,
    /^wqy-\w+\./i,
    /^DroidSansFallback/i,
    /^Arial Unicode/i,
    /^simsun\./i,
  ],
  [/^NotoSansArabic-Regular\./i, /^NotoNaskhArabic-Regular\./i, /^GeezaPro/i],
  [/^NotoSansHebrew-Regular\./i],
];

/** The machine's own fonts that a map needs, as bytes: one for Latin, one for Chinese, Japanese and Korean, and so on. */
export async function systemFonts(): Promise<Uint8Array[]> {
  const files = (await Promise.all((folders[process.platform] ?? folders.linux!).map(fontFiles))).flat();
  const chosen = wanted.flatMap((faces) => {
    for (const face of faces) {
      const file = files.find((candidate) => face.test(path.basename(candidate)));
      if (file !== undefined) return [file];
    }
    return [];
  });
  return Promise.all([...new Set(chosen)].map((file) => readFile(file)));
}

async function fontFiles(folder: string): Promise<string[]> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) return [];
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((entry) => /\.(ttf|ttc|otf)$/i.test(entry)).map((entry) => path.join(folder, entry));
}
