// Finds the programs that read the files in deploy/. If the machine doesn't have them, downloads them.
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a program's path (see scripts/operator-tools.mjs) and the environment to run it in. If the program
 * isn't available, throws an error that gives the reason.
 */
export function operatorTool(name: string): { program: string; env: NodeJS.ProcessEnv } {
  const program = execFileSync(process.execPath, ['scripts/operator-tools.mjs', name], {
    encoding: 'utf8',
  }).trim()
  const [place = ''] = program.split(/\/usr\/s?bin\//)
  const libraries = place === '' ? [] : globSync(join(place, '{usr/,}lib/{,*,*/systemd}/'))
  return {
    program,
    env: { ...process.env, ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }) },
  }
}
