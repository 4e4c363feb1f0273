// Where a task process starts: `node task-entry.server.ts MODULE PRIORITY`. Lowers the process's priority, then
// loads the module, which calls serveTasks.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { waitLonger } from './timeout.server.ts'

const NICE = 10

/** Linux schedules each thread separately. Elsewhere, the process has a single priority. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [process.pid]
  }
}

/**
 * Linux lets a process of low priority finish its time slice of several milliseconds even if the server wants
 * the core, but interrupts an idle one at once. An idle process only gets time that no other process wants.
 */
function lowerPriority(isIdle: boolean): void {
  try {
    for (const id of threads()) setPriority(id, NICE)
    if (isIdle) execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)])
  } catch {
    // Running at a lower priority is optional, so failures are ignored.
  }
}

const [module = '', priority] = process.argv.slice(2)
// The server decides when this process ends. A terminal sends Ctrl-C to both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
lowerPriority(priority === 'idle')
if (priority === 'idle') waitLonger()
await import(module)
