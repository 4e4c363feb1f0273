// The folder that DATA_DIR names.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes the data folder where it is missing, for its owner alone. Throws an Error whose one line names DATA_DIR, the folder and
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

// One level at a time: where the parent takes no folders, as /proc does, Node's recursive mkdir never returns.
function make(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) make(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Somebody else was quicker.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
