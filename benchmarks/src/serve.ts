/** A contender's side: sets up, warms up with two runs, then answers every "measure" with the milliseconds of one run. */
export async function serve(setUp: (options: never) => Promise<() => unknown | Promise<unknown>>): Promise<void> {
  const run = await setUp(JSON.parse(process.argv[2] ?? '{}') as never);
  await run();
  await run();
  process.on('message', async () => {
    const start = performance.now();
    const own = await run();
    process.send?.(typeof own === 'number' ? own : performance.now() - start);
  });
  process.send?.('ready');
}
