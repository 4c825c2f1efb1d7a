import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';

/** A Python that has torch, and what to say of it. */
export interface PythonFound {
  path: string | null;
  remark: string;
}

// Debian's torch takes whichever BLAS is installed: with the reference BLAS it multiplies thirty times slower than with OpenBLAS, and
// OpenBLAS takes some modern processors for very old ones. A comparison with either would be a lie.
const PROBE = `
import time, torch
torch.set_num_threads(1)
a = torch.randn(512, 512)
for _ in range(3): a @ a
def rate():
    start = time.perf_counter()
    for _ in range(10): a @ a
    return 10 * 2 * 512**3 / (time.perf_counter() - start) / 1e9
print(torch.__version__, max(rate() for _ in range(5)))
`;
const SLOWEST_FAIR = 40;

/** PyTorch is measured with this processor family named to OpenBLAS, unless SEQLOOM_OPENBLAS_CORETYPE names another. */
export function torchEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, OPENBLAS_CORETYPE: process.env.SEQLOOM_OPENBLAS_CORETYPE ?? 'Cooperlake' };
}

/** Looks at SEQLOOM_PYTHON, the system's own Python, then `python3`. */
export function pythonWithTorch(): PythonFound {
  const candidates = [process.env.SEQLOOM_PYTHON, '/usr/bin/python3', 'python3'].filter((path) => path !== undefined);
  for (const path of candidates) {
    try {
      const options: ExecFileSyncOptionsWithStringEncoding = {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env: torchEnvironment(),
      };
      const [version, rate] = execFileSync(path, ['-c', PROBE], options).trim().split(' ');
      if (Number(rate) >= SLOWEST_FAIR)
        return { path, remark: `PyTorch ${version}, ${Number(rate).toFixed(0)} GFLOP/s on one thread` };
      const remark = `PyTorch ${version} multiplies at ${Number(rate).toFixed(0)} GFLOP/s only, so it is left out: install libopenblas0`;
      return { path: null, remark };
    } catch {
      // this one has no torch: on to the next
    }
  }
  return {
    path: null,
    remark: 'no Python with torch here, so no rows against PyTorch (Debian: python3-torch and libopenblas0)',
  };
}
