import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { late } from '#platform/ui/late.tsx'
import { type Shortcut, shortcutOf, shortcutsFor } from './shortcuts.ts'
import { areKeysOn } from './keys.web.ts'
import { useReader } from './reader.web.ts'

const FindDialog = late(async () => (await import('./FindDialog.tsx')).FindDialog)
const ShortcutsDialog = late(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)

interface KeyboardProps {
  /** The key press that caused this component to load. It still has to be handled. */
  firstKey?: KeyboardEvent | undefined
  isFinding: boolean
  onFind: (isFinding: boolean) => void
}

/** Handles the keyboard shortcuts and shows the dialogs they open. */
export function Keyboard({ firstKey, isFinding, onFind }: KeyboardProps) {
  const { role, canLog, canWrite, seesAmounts, hasAllStudents } = useReader()
  const navigate = useNavigate()
  const unanswered = useRef(true)
  const [isListed, setIsListed] = useState(false)
  const shortcuts = useMemo(
    () => shortcutsFor({ role, canLog, canWrite, seesAmounts, hasAllStudents }),
    [role, canLog, canWrite, seesAmounts, hasAllStudents],
  )

  useEffect(() => {
    let pressed: string[] = []
    const run = ({ does }: Shortcut) => {
      if (does === 'find') onFind(true)
      else if (does === 'list') setIsListed(true)
      else void navigate(does.to)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const isCtrl = event.ctrlKey || event.metaKey
      if (event.repeat || event.altKey || isBusy() || (!isCtrl && (isTyping(event.target) || !areKeysOn())))
        return
      pressed = [...pressed.slice(-1), event.key.toLowerCase()]
      const shortcut = shortcutOf(pressed, isCtrl, shortcuts)
      if (!shortcut) return
      event.preventDefault()
      pressed = []
      run(shortcut)
    }
    if (firstKey && unanswered.current) onKeyDown(firstKey)
    unanswered.current = false
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [shortcuts, navigate, onFind, firstKey])

  return (
    <>
      {isFinding && <FindDialog onClose={() => onFind(false)} />}
      {isListed && <ShortcutsDialog shortcuts={shortcuts} onClose={() => setIsListed(false)} />}
    </>
  )
}

/** True while focus is in a field that accepts typing. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input,textarea,select,[contenteditable]') !== null
}

/** True while a dialog or menu is open, because those handle their own keys. */
function isBusy(): boolean {
  return document.querySelector('[role=dialog],[role=alertdialog],[role=menu]:popover-open') !== null
}
