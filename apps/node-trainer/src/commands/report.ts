import { Command } from 'commander';

export function reportCommand(): Command {
  return new Command('report')
    .description('write report.html of a run, or one page that compares several')
    .argument('<runs...>', 'folders of runs')
    .option('--out <file>', 'the page to write (default: RUN/report.html; for several, report.html here)')
    .action(async (folders: string[], { out }: { out?: string }) => {
      const { writeReport } = await import('../report/write-report.js');
      process.stdout.write(`${await writeReport(folders, out)}\n`);
    });
}
