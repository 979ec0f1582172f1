// Gives the precompiled header of the tests a target to belong to.
int main()
{
    return 0;
}
