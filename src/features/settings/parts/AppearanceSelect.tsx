import { useState } from 'react'
import { SelectField } from '#platform/ui/EntryField.tsx'

// early.js reads this before the first paint.
const KEY = 'theme'

function chosen(): string {
  try {
    return localStorage.getItem(KEY) ?? 'system'
  } catch {
    return 'system'
  }
}

export function AppearanceSelect() {
  const [theme, setTheme] = useState(chosen)
  const choose = (next: string) => {
    setTheme(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    try {
      if (next === 'system') localStorage.removeItem(KEY)
      else localStorage.setItem(KEY, next)
    } catch {
      // If storage isn't available, the choice lasts only until the page is reloaded.
    }
  }
  return (
    <div className="only-select w-[min(10rem,70vw)]">
      <SelectField label="Appearance" value={theme} onChange={(event) => choose(event.target.value)}>
        <option value="system">Automatic</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </SelectField>
    </div>
  )
}
