/** Converts text from one Chinese script to the other. */
export type ScriptConverter = (text: string) => string;

/** Loads OpenCC's dictionary of words, since 乾 is 干 in 乾杯 and stays in 乾隆. */
export async function loadChineseConverter(to: 'simplified' | 'traditional'): Promise<ScriptConverter> {
  if (to === 'simplified') {
    const { Converter } = await import('opencc-js/t2cn');
    return Converter({ from: 't', to: 'cn' });
  }
  const { Converter } = await import('opencc-js/cn2t');
  return Converter({ from: 'cn', to: 't' });
}
