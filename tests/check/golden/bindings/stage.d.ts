interface Stage { run(text: string): string }
