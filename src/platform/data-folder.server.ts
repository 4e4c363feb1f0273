// The folder that DATA_DIR names.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates the data folder if it's missing, for its owner only. Throws an Error whose one line gives DATA_DIR, the folder and
 * the reason.
 */
export function makeDataFolder(dataDir: string): void {
  try {
    make(dataDir)
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new Error(
      `DATA_DIR is not valid: the folder ${dataDir} cannot be made (${reason}). Name a folder that can be written to.`,
      {
        cause: error,
      },
    )
  }
}

// One level at a time: if the parent takes no folders, as in /proc, Node's recursive mkdir never returns.
function make(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Someone else was faster.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
