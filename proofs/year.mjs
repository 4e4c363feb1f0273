// `npm run prove [-- --families 20 --months 3]`: plays a year of families and tutors against the real server and database.
// Exits with 1 if a promise about reminders wasn't kept.
import { prepare, run } from '../scripts/prepare.mjs'

process.exit(run(prepare({ isForTests: true }), ['proofs/year.ts', ...process.argv.slice(2)]))
