import { useState } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { FormDialog } from '#platform/ui/FormDialog.tsx'
import { areKeysOn, setKeysOn } from './keys.web.ts'
import type { Shortcut } from './shortcuts.ts'

interface ShortcutsDialogProps {
  shortcuts: Shortcut[]
  onClose: () => void
}

/** The list of shortcuts, opened by pressing "?", with a switch for single-key shortcuts. */
export function ShortcutsDialog({ shortcuts, onClose }: ShortcutsDialogProps) {
  const [isOn, setIsOn] = useState(areKeysOn)
  const change = (next: boolean) => {
    setKeysOn(next)
    setIsOn(next)
  }
  return (
    <FormDialog
      title="Keyboard shortcuts"
      isDirty={false}
      onClose={onClose}
      footer={
        <Button className="flex-1" onClick={onClose}>
          Done
        </Button>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3">
        {shortcuts.map((shortcut) => (
          <div key={shortcut.keys.join(' ')} className="contents">
            <dt className="flex items-center gap-1 text-small whitespace-nowrap text-ink-2">
              <Keys {...shortcut} />
            </dt>
            <dd className={isOn || shortcut.withCtrl ? '' : 'text-ink-3 line-through'}>{shortcut.label}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex min-h-11 items-center gap-3 border-t border-line pt-4">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={isOn}
          onChange={(event) => change(event.target.checked)}
        />
        Use shortcuts without Ctrl on this device
      </label>
    </FormDialog>
  )
}

function Keys({ keys, withCtrl }: Shortcut) {
  const isMac = /Mac/.test(navigator.userAgent)
  const all = withCtrl ? [isMac ? '⌘' : 'Ctrl', ...keys] : keys
  return all.map((key, place) => (
    <span key={key} className="flex items-center gap-1">
      {place > 0 && !withCtrl && 'then'}
      <kbd className="rounded-sm border border-control bg-sunken px-2 py-0.5 font-semibold text-ink">
        {key.length === 1 ? key.toUpperCase() : key}
      </kbd>
    </span>
  ))
}
