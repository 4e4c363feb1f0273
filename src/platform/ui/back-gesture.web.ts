// The back gesture of a phone closes what lies on top. Where the browser does not tell of it, it goes back a page as ever.
import { useEffect, useRef } from 'react'

/** Of HTML's close watcher, which the types of the browser do not list yet, what is used here. */
declare class CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

/** Calls when the user of a phone asks by its back gesture for the topmost dialog to go. Escape is not meant: dialogs hear it themselves. */
export function useBackGesture(onBack: () => void): void {
  const newest = useRef(onBack)
  useEffect(() => {
    newest.current = onBack
  })
  useEffect(() => {
    if (!('CloseWatcher' in window)) return
    let watcher: CloseWatcher
    let isEscape = false
    const hearKey = ({ key }: KeyboardEvent) => {
      isEscape = key === 'Escape'
    }
    // A watcher is spent once it was asked; should the dialog stay, the next one is heard too.
    const watch = () => {
      watcher = new CloseWatcher()
      watcher.onclose = () => {
        if (!isEscape) newest.current()
        isEscape = false
        watch()
      }
    }
    watch()
    window.addEventListener('keydown', hearKey, true)
    return () => {
      window.removeEventListener('keydown', hearKey, true)
      watcher.onclose = null
      watcher.destroy()
    }
  }, [])
}
