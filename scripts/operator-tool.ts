// Finds the operator's programs that read the files in deploy/. Downloads them if the machine doesn't have
// them.
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a program's path (see scripts/operator-tools.mjs) and the environment to run it in. Throws the
 * reason if the program isn't available.
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
