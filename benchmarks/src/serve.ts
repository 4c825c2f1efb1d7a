const WARM_UP = 4000; // ms: V8 optimises a short step only after thousands of runs
const SHORTEST = 1000; // ms: shorter runs are timed several at once, as a core that was idle is slow at first

/**
 * A contender's side: sets up, warms up, then answers every "measure" with the milliseconds of one run. What the run returns
 * stands in for its time where it is a number.
 */
export async function serve(setUp: (options: never) => Promise<() => unknown | Promise<unknown>>): Promise<void> {
  const run = await setUp(JSON.parse(process.argv[2] ?? '{}') as never);
  const began = performance.now();
  let runs = 0;
  do await run();
  while (++runs < 2 || performance.now() - began < WARM_UP);
  const repeat = Math.max(1, Math.round((SHORTEST * runs) / (performance.now() - began)));
  process.on('message', async () => {
    const start = performance.now();
    let own: unknown;
    for (let i = 0; i < repeat; i++) own = await run();
    process.send?.(typeof own === 'number' ? own : (performance.now() - start) / repeat);
  });
  process.send?.('ready');
}
