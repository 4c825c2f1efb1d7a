// Runs inside report.html: draws the curves with uPlot, switches language, moves a sample's attention through time.
(() => {
  const root = document.documentElement;
  const { charts } = JSON.parse(document.getElementById('data').textContent);
  const palette = ['#2563eb', '#ea580c', '#16a34a', '#9333ea', '#0891b2', '#dc2626', '#ca8a04', '#db2777'];

  const css = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  const localized = (label) => (root.lang === 'zh' ? label.zh : label.en);
  const short = (value) =>
    value == null
      ? '–'
      : Math.abs(value) >= 1000
        ? value.toLocaleString('en', { maximumFractionDigits: 0 })
        : String(Number(value.toPrecision(4)));

  function draw(chart, element) {
    element.replaceChildren();
    const axis = {
      stroke: css('--soft'),
      grid: { stroke: css('--line'), width: 1 },
      ticks: { stroke: css('--line'), width: 1 },
    };
    const series = chart.series.map(({ label, dots }, i) => ({
      label: localized(label),
      stroke: palette[i % palette.length],
      width: dots ? 2 : 1.5,
      spanGaps: true,
      points: { show: dots, size: 6 },
      value: (_, value) => short(value),
    }));
    new uPlot(
      {
        width: element.clientWidth,
        height: 260,
        scales: { x: { time: false } },
        axes: [axis, { ...axis, size: 64, values: (_, ticks) => ticks.map(short) }],
        series: [{ label: localized(chart.across) }, ...series],
        cursor: { drag: { x: true, y: false } },
      },
      chart.columns,
      element,
    );
  }

  function drawAll() {
    for (const [i, chart] of charts.entries()) draw(chart, document.getElementById(`chart-${i}`));
  }

  function setLanguage(language) {
    root.lang = language;
    drawAll();
  }

  document.getElementById('language').addEventListener('click', () => setLanguage(root.lang === 'zh' ? 'en' : 'zh'));
  for (const slider of document.querySelectorAll('.time input')) {
    const sample = slider.closest('.sample');
    slider.addEventListener('input', () => {
      sample.querySelectorAll('.moment').forEach((moment, i) => {
        moment.hidden = i !== Number(slider.value);
      });
    });
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  let resized;
  addEventListener('resize', () => {
    clearTimeout(resized);
    resized = setTimeout(drawAll, 150);
  });
  setLanguage(navigator.language.startsWith('zh') ? 'zh' : 'en');
})();
