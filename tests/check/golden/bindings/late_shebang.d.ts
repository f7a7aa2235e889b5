
#!/usr/bin/env tenon
declare const late: number;
