/** Light, dark, or as the system has it; remembered where the browser allows it. */
const KEY = 'euforia-theme';
const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const SIGNS: Readonly<Record<Theme, string>> = { auto: '◐', light: '☀', dark: '☾' };

export function themeButton(button: HTMLButtonElement): void {
  let theme = remembered();
  const show = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = SIGNS[theme];
    button.title = `colours: ${theme}`;
    button.setAttribute('aria-label', `colours: ${theme}`);
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Then it is not remembered.
    }
    show();
  });
  show();
}

function remembered(): Theme {
  try {
    return THEMES.find(t => t === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
